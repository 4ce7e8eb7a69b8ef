// The key that asks. The sandbox key of this installation stands in the page; one's own stays in this tab.

const PLACE = "sankofa-key";

export function sandboxKey(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="sandbox-key"]')?.content ?? "";
}

export function ownKey(): string {
  return sessionStorage.getItem(PLACE) ?? "";
}

export function useOwnKey(key: string): void {
  if (key) sessionStorage.setItem(PLACE, key);
  else sessionStorage.removeItem(PLACE);
}

export function currentKey(): string {
  return ownKey() || sandboxKey();
}

export function isSandbox(): boolean {
  return !ownKey();
}
