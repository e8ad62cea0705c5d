/* The people on court cards and the joker, for a 100 x 140 card. */
import { svg } from '../../vendor/lit/lit-html.js';

const eyes = (x, y, d) => svg`
  <circle class="ink" cx=${x - d} cy=${y} r="2.5"/><circle class="ink" cx=${x + d} cy=${y} r="2.5"/>
  <circle class="paper" cx=${x - d + 1} cy=${y - 0.9} r=".9"/><circle class="paper" cx=${x + d + 1} cy=${y - 0.9} r=".9"/>`;

const SHOULDERS = svg`<path class="ink" d="M33 127C33 106 45 100 61 100S89 106 89 127Z"/>`;

export const COURT = {
  K: () => [
    SHOULDERS,
    svg`<path class="gold" d="M51 100.5L61 116 71 100.5Z"/>`,
    svg`<path class="skin" d="M45 62H77V80C77 92 70 99 61 99S45 92 45 80Z"/>`,
    svg`<path class="ink" d="M45 72C47 81 53 82 61 82S75 81 77 72C79 92 72 107 61 107S43 92 45 72Z"/>`,
    svg`<path class="line paperline" d="M55 88Q61 92 67 88"/>`,
    eyes(61, 72, 6.4),
    svg`<path class="gold rim" d="M43.5 63L40 38 51.5 49 61 33 70.5 49 82 38 78.5 63Z"/>`,
    svg`<path class="line" d="M46 57H76"/>`,
  ],
  Q: () => [
    svg`<path class="ink" d="M61 46C40 46 41 66 38.5 78 37 86 40 93 46 95H76C82 93 85 86 83.5 78 81 66 82 46 61 46Z"/>`,
    SHOULDERS,
    svg`<path class="skin" d="M54.5 90H67.5V102C67.5 108 54.5 108 54.5 102Z"/>`,
    svg`<path class="gold" d="M44 104C50 114 72 114 78 104L83 110C76 123 46 123 39 110Z"/>`,
    svg`<path class="skin" d="M47.5 70C52 70 58 66 60 60 63 66 70 70 74.5 70V77C74.5 88 69 95.5 61 95.5S47.5 88 47.5 77Z"/>`,
    eyes(61, 76, 6),
    svg`<path class="line" d="M51 72.4L48.8 71M71 72.4L73.2 71"/>`,
    svg`<path class="line" d="M57.5 87Q61 90.5 64.5 87"/>`,
    svg`<path class="gold rim" d="M45 57L42.5 41 52.5 48.5 61 37 69.5 48.5 79.5 41 77 57Q61 51 45 57Z"/>`,
    svg`<circle class="gold rim" cx="61" cy="34" r="3"/>`,
    svg`<circle class="gold rim" cx="40.5" cy="88" r="2.6"/>`,
    svg`<circle class="gold rim" cx="81.5" cy="88" r="2.6"/>`,
  ],
  J: () => [
    SHOULDERS,
    svg`<path class="gold" d="M48 102L61 110 74 102 70 116 61 110 52 116Z"/>`,
    svg`<path class="ink" d="M44 62C41 76 43 86 46 92H76C79 86 81 76 78 62Z"/>`,
    svg`<path class="skin" d="M48 62H74V78C74 90 69 97 61 97S48 90 48 78Z"/>`,
    svg`<path class="ink" d="M47 60H75C75 68 66 66 61 70 57 66 50 70 48 72Z"/>`,
    eyes(61, 76, 6.2),
    svg`<path class="line" d="M57 87Q61 90.5 66 86.5"/>`,
    svg`<path class="gold rim" d="M77 51C82 42 85 34 83 22 74 28 70 38 69 48Z"/>`,
    svg`<path class="ink rimpaper" d="M40 62C36 46 52 40 66 44 78 47 85 52 82 62Q61 54 40 62Z"/>`,
  ],
  X: () => [
    SHOULDERS,
    svg`<path class="gold" d="M45 102L51 113 56 103 61 115 66 103 71 113 77 102Z"/>`,
    svg`<path class="skin" d="M46 64H76V78C76 90 70 98 61 98S46 90 46 78Z"/>`,
    svg`<circle class="ink" cx="54.5" cy="75" r="2.6"/>`,
    svg`<circle class="paper" cx="55.5" cy="74" r=".9"/>`,
    svg`<path class="line" d="M64 76Q67.5 72.5 71 76"/>`,
    svg`<path class="line" d="M54 86Q61 93 68 86"/>`,
    svg`<path class="ink" d="M45 66C45 50 40 44 33 46 36 34 50 34 55 44 56 36 58 31 61 26 64 31 66 36 67 44 72 34 86 34 89 46 82 44 77 50 77 66Q61 58 45 66Z"/>`,
    svg`<path class="gold" d="M55 44C56 36 58 31 61 26 64 31 66 36 67 44L64 60.5H58Z"/>`,
    svg`<circle class="gold rim" cx="33" cy="49" r="3.6"/>`,
    svg`<circle class="gold rim" cx="61" cy="24.5" r="3.6"/>`,
    svg`<circle class="gold rim" cx="89" cy="49" r="3.6"/>`,
  ],
};
