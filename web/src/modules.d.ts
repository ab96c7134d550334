declare module "*.nnue?url" {
    const url: string;
    export default url;
}

declare const UNITS_PER_PAWN: number; // units of the search's scores; set by vite.config.ts
