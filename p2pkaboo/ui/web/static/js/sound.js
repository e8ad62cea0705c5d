/* Sounds, made on the spot by WebAudio: short, quiet, one for each kind of thing that happens. */

let context = null,
  settings = { sound: true, volume: 60 };

export const useSound = (wanted) => {
  settings = wanted;
};

/* Browsers let a page sound only after the person has touched it. */
export function unlock() {
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
}

function tone(frequency, start, length, { type = 'sine', gain = 0.2, slide = 1 } = {}) {
  const at = context.currentTime + start,
    wave = context.createOscillator(),
    level = context.createGain();
  wave.type = type;
  wave.frequency.setValueAtTime(frequency, at);
  wave.frequency.exponentialRampToValueAtTime(frequency * slide, at + length);
  level.gain.setValueAtTime(gain * (settings.volume / 100), at);
  level.gain.exponentialRampToValueAtTime(0.0001, at + length);
  wave.connect(level).connect(context.destination);
  wave.start(at);
  wave.stop(at + length);
}

/* Paper on cloth: a short breath of filtered noise. */
function rustle(start, length, frequency, gain = 0.25) {
  const at = context.currentTime + start,
    size = Math.ceil(context.sampleRate * length);
  const buffer = context.createBuffer(1, size, context.sampleRate),
    data = buffer.getChannelData(0);
  for (let i = 0; i < size; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / size) ** 2;
  const source = context.createBufferSource(),
    filter = context.createBiquadFilter(),
    level = context.createGain();
  source.buffer = buffer;
  filter.type = 'bandpass';
  filter.frequency.value = frequency;
  level.gain.value = gain * (settings.volume / 100);
  source.connect(filter).connect(level).connect(context.destination);
  source.start(at);
}

const SOUNDS = {
  card: () => rustle(0, 0.09, 2400),
  deal: () => rustle(0, 0.06, 3000, 0.18),
  look: () => tone(880, 0, 0.12, { type: 'triangle', gain: 0.08, slide: 1.2 }),
  snap: () => {
    rustle(0, 0.05, 5200, 0.5);
    tone(240, 0, 0.08, { type: 'square', gain: 0.12, slide: 0.5 });
  },
  right: () => {
    tone(660, 0.02, 0.12, { gain: 0.14 });
    tone(990, 0.1, 0.18, { gain: 0.14 });
  },
  wrong: () => {
    tone(196, 0.02, 0.16, { type: 'triangle', gain: 0.2 });
    tone(147, 0.14, 0.24, { type: 'triangle', gain: 0.2 });
  },
  turn: () => {
    tone(523, 0, 0.14, { gain: 0.16 });
    tone(784, 0.12, 0.22, { gain: 0.16 });
  },
  call: () => {
    for (const [i, f] of [392, 523, 659].entries()) tone(f, i * 0.1, 0.3, { type: 'triangle', gain: 0.16 });
  },
  torn: () => {
    rustle(0, 0.5, 900, 0.5);
    tone(110, 0.1, 0.6, { type: 'sawtooth', gain: 0.08, slide: 0.6 });
  },
};

export function play(name) {
  if (settings.sound && settings.volume && context?.state === 'running') SOUNDS[name]?.();
}

/* What an event sounds like to the player in seat `you`. */
export function soundOf(event, you) {
  if (event.type === 'card_moved') return event.cause === 'deal' ? 'deal' : event.cause === 'snap' ? 'right' : 'card';
  if (event.type === 'card_shown') return event.cause === 'wrong_snap' || event.cause === 'mismatch' ? 'wrong' : 'card';
  if (event.type === 'turn_began') return event.seat === you ? 'turn' : null;
  return (
    { looked: 'look', called: 'call', raced: 'snap', cheat_caught: 'torn', reshuffled: 'deal' }[event.type] ?? null
  );
}
