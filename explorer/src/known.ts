// What REST says of one figure, day by day, from few questions.
//
// `vintages=all` is a history: it does not tell when a value was withdrawn. So each vintage is looked up as of the
// last day before the next one. If it stood then, it stood on all days since its report, because only a new report
// could have brought it back. If it did not, it was withdrawn on some day between, and each day is asked for.

import { text, type Row } from "./api.ts";
import { latestBy } from "./as_of.ts";
import { shifted, type Day } from "./dates.ts";

export interface Standing {
  /** The vintage that stood on the day; null if none was known. */
  row: Row | null;
  /** Whether REST has said so, for this day or for one that settles it. */
  sure: boolean;
}

export class Known {
  readonly vintages: Row[];
  private readonly last: Day;
  private readonly ask: (day: Day) => Promise<Set<string>>;
  private readonly stood = new Map<string, Day>();
  private readonly gone = new Map<string, Day>();
  private readonly told = new Map<Day, Row>();

  /** `ask` returns the ids of the facts that stood on a day; `last` is the day of the edition. */
  constructor(vintages: Row[], last: Day, ask: (day: Day) => Promise<Set<string>>) {
    this.vintages = vintages;
    this.last = last;
    this.ask = ask;
  }

  on(day: Day): Standing {
    const told = this.told.get(day);
    if (told) return { row: told, sure: true };
    const row = latestBy(this.vintages, day);
    if (!row) return { row: null, sure: true };
    const id = text(row["fact_id"]);
    if (day <= (this.stood.get(id) ?? "")) return { row, sure: true };
    const gone = this.gone.get(id);
    if (gone !== undefined && day >= gone) return { row: null, sure: true };
    // A value that is known to have been withdrawn at some time is not shown on a guess.
    return { row: gone === undefined ? row : null, sure: false };
  }

  /** Ask for the last day of each vintage: for most figures that settles every day there is. */
  async settleAll(): Promise<void> {
    const ends = this.vintages.map((_, at) => {
      const next = this.vintages[at + 1];
      return next ? shifted(text(next["available_at"]), -1) : this.last;
    });
    await Promise.all([...new Set(ends)].map((day) => this.settle(day)));
  }

  async settle(day: Day): Promise<Standing> {
    const row = latestBy(this.vintages, day);
    if (row && !this.on(day).sure) {
      const id = text(row["fact_id"]);
      const facts = await this.ask(day);
      // Whatever we would have chosen, the API has the last word on the day that was asked for.
      const other = this.vintages.find((vintage) => facts.has(text(vintage["fact_id"])));
      if (other && other !== row) this.told.set(day, other);
      else if (facts.has(id)) this.stood.set(id, later(this.stood.get(id), day));
      else this.gone.set(id, earlier(this.gone.get(id), day));
    }
    return this.on(day);
  }
}

function later(a: Day | undefined, b: Day): Day {
  return a !== undefined && a > b ? a : b;
}

function earlier(a: Day | undefined, b: Day): Day {
  return a !== undefined && a < b ? a : b;
}
