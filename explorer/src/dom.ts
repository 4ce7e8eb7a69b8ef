// The one way in which elements are made. Text always goes in as text: nothing of the data is read as markup.

export type Child = Node | string | null | undefined | false | Child[];
type Value = string | number | boolean | null | undefined | ((event: never) => void);

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

let serial = 0;

/** Return a label above its control. */
export function field(text: string, control: HTMLElement, hint?: string, beside?: HTMLElement): HTMLElement {
  control.id ||= `field-${++serial}`;
  return el(
    "div",
    { class: "field" },
    el("label", { for: control.id }, text),
    beside ? el("div", { class: "joined" }, control, beside) : control,
    hint && el("p", { class: "hint" }, hint),
  );
}

export interface Option {
  value: string;
  label: string;
  group?: string;
}

/** Return a select whose options may stand in groups; `change` gets the chosen value. */
export function choice(options: Option[], chosen: string, change: (value: string) => void): HTMLSelectElement {
  const select = el("select", { onchange: () => change(select.value) });
  const groups = new Map<string, HTMLElement>();
  for (const option of options) {
    const made = el("option", { value: option.value, selected: option.value === chosen }, option.label);
    if (!option.group) {
      select.append(made);
      continue;
    }
    let group = groups.get(option.group);
    if (!group) {
      group = el("optgroup", { label: option.group });
      groups.set(option.group, group);
      select.append(group);
    }
    group.append(made);
  }
  return select;
}
