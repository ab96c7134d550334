// A short sound for each move, synthesised here. Off by default.

import { settings } from "./settings.svelte";

let context: AudioContext | undefined;

export function playSound(san: string): void {
    if (!settings.sound) return;
    context ??= new AudioContext();
    const now = context.currentTime, captures = san.includes("x"), length = captures ? 0.12 : 0.08;
    const tone = context.createOscillator(), volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(captures ? 320 : 440, now);
    tone.frequency.exponentialRampToValueAtTime(110, now + length);
    volume.gain.setValueAtTime(0.25, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + length);
    tone.connect(volume).connect(context.destination);
    tone.start(now);
    tone.stop(now + length);
}
