import { BadRequest, type DoubleDocument, filterOf } from './double-filter.js';

interface DoubleField {
  readonly name: string;
  readonly type: string;
  readonly optional?: boolean;
}

export interface DoubleSchema {
  readonly name: string;
  readonly fields: readonly DoubleField[];
  readonly symbols_to_index?: readonly string[];
}

/** In-memory collection that validates documents against its fields. */
export class DoubleCollection {
  readonly documents = new Map<string, DoubleDocument>();
  /** Number of times to reject a document, by id. */
  readonly refusals = new Map<string, number>();

  constructor(readonly schema: DoubleSchema) {}

  get searched(): { readonly documents: Iterable<DoubleDocument>; readonly symbols: readonly string[] } {
    return { documents: this.documents.values(), symbols: this.schema.symbols_to_index ?? [] };
  }

  /** Imports one document. @returns its line of the response */
  importLine(line: string): object {
    const document = JSON.parse(line) as DoubleDocument;
    const error = this.refusalOf(document);
    if (error !== undefined) return { success: false, error, code: 400, document: line };
    this.documents.set(document.id, document);
    return { success: true };
  }

  remove(filterBy: string | null): object {
    if (filterBy === null) throw new BadRequest('Parameter `filter_by` must be provided.');
    const removed = [...this.documents.values()].filter(filterOf(filterBy));
    for (const { id } of removed) this.documents.delete(id);
    return { num_deleted: removed.length };
  }

  private refusalOf(document: DoubleDocument): string | undefined {
    const refusals = this.refusals.get(document.id) ?? 0;
    if (refusals > 0) {
      this.refusals.set(document.id, refusals - 1);
      return 'Not ready or lagging';
    }
    const wrong = this.schema.fields.find(({ name, type, optional }) => {
      const value = document[name];
      return value === undefined ? !optional : !isOf(type, value);
    });
    return wrong && `Field \`${wrong.name}\` must be a ${wrong.type}.`;
  }
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'string[]':
      return Array.isArray(value) && value.every((one) => typeof one === 'string');
    case 'bool':
      return typeof value === 'boolean';
    case 'int32':
    case 'int64':
      return Number.isSafeInteger(value);
    default:
      return false;
  }
}
