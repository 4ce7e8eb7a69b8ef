// Dates are days, written YYYY-MM-DD and in UTC, as the API writes them. They compare as text.

const DAY = 86_400_000;
const LONG = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const SHORT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

export type Day = string;

export function dayNumber(day: Day): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / DAY);
}

export function dayOf(number: number): Day {
  return new Date(number * DAY).toISOString().slice(0, 10);
}

/** Seconds since 1970, which is how the charts count. */
export function seconds(day: Day): number {
  return (dayNumber(day) * DAY) / 1000;
}

export function isDay(text: string | undefined): text is Day {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(dayNumber(text)) && dayOf(dayNumber(text)) === text;
}

export function shifted(day: Day, days: number): Day {
  return dayOf(dayNumber(day) + days);
}

export function clamped(day: Day, first: Day, last: Day): Day {
  return day < first ? first : day > last ? last : day;
}

/** 14 March 2024 */
export function inFull(day: Day): string {
  return LONG.format(new Date(`${day}T00:00:00Z`));
}

/** 14 Mar 2024 */
export function inShort(day: Day): string {
  return SHORT.format(new Date(`${day}T00:00:00Z`));
}

/** March 2024 */
export function monthInFull(day: Day): string {
  return MONTH.format(new Date(`${day}T00:00:00Z`));
}

/** The first day of the month that lies so many months after that of a day. */
export function monthStart(day: Day, months = 0): Day {
  const [year = 1970, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

export function monthEnd(day: Day): Day {
  return shifted(monthStart(day, 1), -1);
}
