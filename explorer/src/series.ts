// What series are called, and how their values are read.

import { text, type Row } from "./api.ts";
import { countryName } from "./words.ts";

/** Indicators of the World Bank by year. Series mode gives codes only. */
const INDICATORS: Record<string, string> = {
  "FP.CPI.TOTL.ZG": "Inflation, consumer prices (annual %)",
  "NY.GDP.DEFL.KD.ZG": "Inflation, GDP deflator (annual %)",
  "NY.GDP.MKTP.CD": "GDP (current US$)",
  "SP.POP.TOTL": "Population, total",
};

/** Return the country and indicator of a series by year, as annual mode asks for them; null for other series. */
export function indicatorOf(series: string): { country: string; indicator: string } | null {
  const found = /^WB\.(.+)\.([A-Z0-9]{2,3})$/.exec(series);
  return found ? { indicator: found[1] ?? "", country: found[2] ?? "" } : null;
}

/** Name an indicator of the World Bank; an unknown one keeps its code. */
export function indicatorName(code: string): string {
  return INDICATORS[code] ?? code;
}

/** Name a series by its key, its country (alpha-2, empty for an aggregate) and the name of its indicator. */
export function seriesName(series: string, country: string, named = ""): string {
  const rate = /^FX\.(\w+)\.(\w+)$/.exec(series);
  if (rate) return `${rate[2]} for 1 ${rate[1]}`;
  const where = country && `, ${countryName(country)}`;
  if (series.startsWith("CPI.")) return `Consumer prices${where}`;
  const indicator = indicatorOf(series);
  return indicator ? `${named || indicatorName(indicator.indicator)}${where || `, ${indicator.country}`}` : series;
}

/** Name a series of the catalogue. */
export function catalogName(row: Row): string {
  const key = text(row["key"]);
  const country = Object.keys((row["coverage"] ?? {}) as Row).find((code) => code !== "none") ?? "";
  return /^(WB|FX)\./.test(key) ? seriesName(key, country, text(row["definition"])) : text(row["definition"]) || key;
}

/** Return the unit for reading: an index and a plain count have none. */
export function unitOf(row: Row): string {
  const unit = text(row["unit"]);
  return unit === "index" || unit === "pure" ? "" : unit;
}
