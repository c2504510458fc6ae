import type { LivePlaces } from '@nimo/projection-engine';
import type { PublicQuestionRows } from '@nimo/projections';

/** A page that was made: enough to tell whether it is still the one, and nothing of what it shows. */
export interface KnownPage {
  readonly validator: string;
  readonly isIndexed: boolean;
  readonly rows: PublicQuestionRows;
  /** Where the read side was when it was made, or was last found not to have changed. */
  readonly places: LivePlaces;
}

/** Of some five thousand pages of the usual size; about 10 MB where every page is a long one. */
const MAX_IDS = 100_000;
const IDS_OF_EACH = 10;

const sizeOf = ({ rows }: KnownPage): number => IDS_OF_EACH + rows.studentIds.size;

/** The pages that were made or asked for last. */
export class KnownPages {
  private readonly pages = new Map<string, KnownPage>();
  private ids = 0;

  get(address: string): KnownPage | undefined {
    return this.pages.get(address);
  }

  /** The one that was not asked for longest goes first. */
  set(address: string, page: KnownPage): void {
    this.delete(address);
    this.pages.set(address, page);
    this.ids += sizeOf(page);
    for (const [oldest] of this.pages) {
      if (this.ids <= MAX_IDS) break;
      this.delete(oldest);
    }
  }

  delete(address: string): void {
    const page = this.pages.get(address);
    if (!page) return;
    this.pages.delete(address);
    this.ids -= sizeOf(page);
  }
}
