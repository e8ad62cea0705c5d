/* What a screen reader hears. Two regions that stay in the page: one waits its turn, one interrupts. */

const clearing = new Map();

export function announce(text, urgent = false) {
  const region = document.getElementById(urgent ? 'live-now' : 'live');
  if (!text || !region) return;
  clearTimeout(clearing.get(region));
  const line = document.createElement('p');
  line.textContent = text;
  region.append(line);
  while (region.childElementCount > 4) region.firstElementChild.remove();
  clearing.set(
    region,
    setTimeout(() => region.replaceChildren(), 8000),
  );
}
