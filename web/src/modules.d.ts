declare module "*.nnue?url" {
    const url: string;
    export default url;
}

declare const UNITS_PER_PAWN: number; // of the search, by vite.config.ts
