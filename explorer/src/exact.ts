// Exact numbers. A reported value may have 38 digits and a binary float keeps 15 of them, so the client reads decimals
// as text and they stay text until they are shown. A float is made only to find a pixel.

/** The digits of a JSON number, as text. */
export type Digits = string;

/** Write digits in groups of three, for people: 1150000000 becomes 1,150,000,000. */
export function grouped(digits: Digits): string {
  const parts = /^(-?)(\d+)(\.\d+)?$/.exec(digits);
  if (!parts) return digits;
  const [, sign, whole = "", rest = ""] = parts;
  return `${sign ? "−" : ""}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${rest}`;
}

/** Tell how long a value is in words: 1150000000 is "1.15 billion". Null if that says nothing more, or not all. */
export function inWords(digits: Digits): string | null {
  const parts = /^(-?)(\d{7,})$/.exec(digits);
  if (!parts) return null;
  const [, sign, whole = ""] = parts;
  const names = ["million", "billion", "trillion"];
  const step = Math.min(Math.floor((whole.length - 1) / 3) - 2, names.length - 1);
  const places = (step + 2) * 3;
  const rest = whole.slice(-places).replace(/0+$/, "");
  if (rest.length > 3) return null;
  return `${sign ? "−" : ""}${grouped(whole.slice(0, -places))}${rest && `.${rest}`} ${names[step]}`;
}

/** Write a share as a percentage by moving its point: 0.125 becomes 12.5 %. */
export function percent(digits: Digits): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(digits);
  if (!parts) return digits;
  const [, sign, whole = "0", rest = ""] = parts;
  const moved = whole + rest.slice(0, 2).padEnd(2, "0");
  const left = rest.slice(2).replace(/0+$/, "");
  return `${grouped(`${sign}${moved.replace(/^0+(?=\d)/, "")}${left && `.${left}`}`)}\u00a0%`;
}

/** Give a float: for the place of a pixel and for nothing that is read. */
export function pixelValue(digits: Digits): number {
  return Number(digits);
}

/** Add up whole numbers without loss. */
export function total(values: Digits[]): Digits {
  return values.reduce((sum, value) => sum + BigInt(value), 0n).toString();
}
