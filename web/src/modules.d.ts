declare module "*.nnue?url" {
    const url: string;
    export default url;
}

declare module "*.epd?url" {
    const url: string;
    export default url;
}

// Made by vite.config.ts.
declare module "virtual:lessons" {
    export const lessons: { name: string; title: string; load(): Promise<LessonSource> }[];
    export const rungs: { subject: string; opponent: string; limit: string; games: number; elo: number; error: number }[];
    export const worths: { technique: string; limit: string; net: string; games: number; elo: number; error: number }[];
}
declare module "virtual:challenge" {
    export const template: string;
    export const exercises: { technique: string; depth: number; fen: string }[];
}
interface LessonSource { text: string; code: Record<string, { line: number; text: string }> }

// Set by vite.config.ts.
declare const UNITS_PER_PAWN: number; // units of the search's scores
declare const CHANCE_ALPHA: number[], CHANCE_BETA: number[]; // src/engine/chances.h
