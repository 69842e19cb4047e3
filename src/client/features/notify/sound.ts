// A short tone, made here: two notes that rise.

const NOTES = [
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.12 },
];
const LENGTH_S = 0.18;
const LOUDNESS = 0.12;

let context: AudioContext | undefined;

/** Browsers allow sound only after somebody has used the page. Until then this does nothing. */
export async function playTone(): Promise<void> {
  context ??= new AudioContext();
  if (context.state === "suspended") await Promise.race([context.resume(), refused()]);
  if (context.state !== "running") return;
  for (const { hertz, at } of NOTES) {
    const start = context.currentTime + at;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.001, start + LENGTH_S);
    const note = context.createOscillator();
    note.frequency.value = hertz;
    note.connect(gain).connect(context.destination);
    note.start(start);
    note.stop(start + LENGTH_S);
  }
}

/** `resume` never settles if the browser refuses. Sleeping headphones take a second or two to wake. */
const refused = () => new Promise<void>((resolve) => setTimeout(resolve, 3_000));
