// Elements of SVG, and a chart as a picture.

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | undefined> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Return a path through points; a null begins a new part. */
export function path(points: ([number, number] | null)[], className: string): SVGPathElement {
  let move = true;
  const parts: string[] = [];
  for (const point of points) {
    if (point) parts.push(`${move ? "M" : "L"}${point[0].toFixed(1)},${point[1].toFixed(1)}`);
    move = point === null;
  }
  return svg("path", { class: className, d: parts.join("") });
}

// The properties by which the style sheet draws; a picture has no style sheet.
const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight"];

/** Return a chart as an image that needs no style sheet, in the colours of the page. */
export async function imageOf(chart: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const copies = [...copy.querySelectorAll<SVGElement>("*")];
  [...chart.querySelectorAll("*")].forEach((element, at) => {
    const style = getComputedStyle(element);
    for (const name of DRAWN) copies[at]?.setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
