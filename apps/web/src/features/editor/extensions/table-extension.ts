import {
  ExtensionTag,
  NodeExtension,
  PlainExtension,
  type ApplySchemaAttributes,
  type CommandFunction,
  type KeyBindings,
  type NodeExtensionSpec,
  type NodeSpecOverride,
  type ProsemirrorNode,
  type ProsemirrorPlugin,
} from '@remirror/core';
import { TextSelection, type Command, type EditorState } from '@remirror/pm/state';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  isInTable,
  tableEditing,
  toggleHeaderRow,
} from '@remirror/pm/tables';
import { dispatchUndoStep, leaveSelectedNode } from '../transactions';

/** A node spec with the role that prosemirror-tables requires. */
interface TableSpec extends NodeExtensionSpec {
  tableRole: 'table' | 'row' | 'cell' | 'header_cell';
}

const NEW_TABLE = { rows: 3, columns: 3 };
/** The API strips larger spans, so they count as 1. */
const spanPattern = /^[1-9]\d?$/;

const spanOf = (element: Element, name: string): number => {
  const span = element.getAttribute(name) ?? '';
  return spanPattern.test(span) ? Number(span) : 1;
};

/** No nested tables: they are unusable on a phone. */
const cellContent =
  '(paragraph | heading | blockquote | bulletList | orderedList | codeBlock | blockFormula | horizontalRule)+';

function cellSpec(tag: 'td' | 'th', extra: ApplySchemaAttributes, override: NodeSpecOverride): TableSpec {
  return {
    ...override,
    content: cellContent,
    isolating: true,
    tableRole: tag === 'th' ? 'header_cell' : 'cell',
    // `colwidth` is required by prosemirror-tables; columns cannot be resized.
    attrs: {
      ...extra.defaults(),
      colspan: { default: 1 },
      rowspan: { default: 1 },
      colwidth: { default: null },
    },
    parseDOM: [
      {
        tag,
        getAttrs: (element) =>
          element instanceof Element
            ? {
                ...extra.parse(element),
                colspan: spanOf(element, 'colspan'),
                rowspan: spanOf(element, 'rowspan'),
              }
            : false,
      },
    ],
    toDOM: (node) => [tag, { ...extra.dom(node), ...spansOf(node) }, 0],
  };
}

function spansOf({ attrs }: ProsemirrorNode): Record<string, string> {
  const spans = ['colspan', 'rowspan'].filter((name) => attrs[name] !== 1);
  return Object.fromEntries(spans.map((name) => [name, String(attrs[name])]));
}

/** A table with or without header cells. */
class TableNode extends NodeExtension {
  get name() {
    return 'table' as const;
  }
  override createTags() {
    return [ExtensionTag.Block];
  }
  createNodeSpec(extra: ApplySchemaAttributes, override: NodeSpecOverride): TableSpec {
    return {
      ...override,
      content: 'tableRow+',
      isolating: true,
      tableRole: 'table',
      attrs: extra.defaults(),
      parseDOM: [{ tag: 'table', getAttrs: extra.parse }],
      toDOM: (node) => ['table', extra.dom(node), ['tbody', 0]],
    };
  }
}

class TableRowNode extends NodeExtension {
  get name() {
    return 'tableRow' as const;
  }
  createNodeSpec(extra: ApplySchemaAttributes, override: NodeSpecOverride): TableSpec {
    return {
      ...override,
      content: '(tableCell | tableHeader)+',
      tableRole: 'row',
      attrs: extra.defaults(),
      parseDOM: [{ tag: 'tr', getAttrs: extra.parse }],
      toDOM: (node) => ['tr', extra.dom(node), 0],
    };
  }
}

class TableCellNode extends NodeExtension {
  get name() {
    return 'tableCell' as const;
  }
  createNodeSpec(extra: ApplySchemaAttributes, override: NodeSpecOverride): TableSpec {
    return cellSpec('td', extra, override);
  }
}

class TableHeaderNode extends NodeExtension {
  get name() {
    return 'tableHeader' as const;
  }
  createNodeSpec(extra: ApplySchemaAttributes, override: NodeSpecOverride): TableSpec {
    return cellSpec('th', extra, override);
  }
}

const tableActions = {
  rowAbove: addRowBefore,
  rowBelow: addRowAfter,
  columnLeft: addColumnBefore,
  columnRight: addColumnAfter,
  headerRow: toggleHeaderRow,
  deleteRow,
  deleteColumn,
  deleteTable,
} as const satisfies Record<string, Command>;

/** Command on the table at the caret. */
export type TableAction = keyof typeof tableActions;

/** Keyboard shortcuts; `Mod` is Ctrl or Cmd. */
export const tableKeys: Readonly<Partial<Record<TableAction, string>>> = {
  rowAbove: 'Mod-Alt-Shift-ArrowUp',
  rowBelow: 'Mod-Alt-Shift-ArrowDown',
  columnLeft: 'Mod-Alt-Shift-ArrowLeft',
  columnRight: 'Mod-Alt-Shift-ArrowRight',
  deleteRow: 'Mod-Alt-Shift-Backspace',
};

const toCommand =
  (command: Command): CommandFunction =>
  ({ state, dispatch, view }) =>
    command(state, dispatch, view);

/** Moves to the next cell, adding a row after the last one. */
const nextCell: Command = (state, dispatch, view) => {
  if (goToNextCell(1)(state, dispatch)) return true;
  if (!isInTable(state)) return false;
  addRowAfter(state, dispatch);
  if (dispatch && view) goToNextCell(1)(view.state, dispatch);
  return true;
};

function newTable(state: EditorState): ProsemirrorNode | undefined {
  const { table, tableRow, tableCell, tableHeader } = state.schema.nodes;
  if (!table || !tableRow || !tableCell || !tableHeader) return undefined;
  const rows = Array.from({ length: NEW_TABLE.rows }, (_, row) =>
    tableRow.create(
      null,
      Array.from({ length: NEW_TABLE.columns }, () =>
        (row === 0 ? tableHeader : tableCell).createAndFill(),
      ).filter((cell) => cell !== null),
    ),
  );
  return table.create(null, rows);
}

/** Inserts a table with the caret in its first cell. */
const insertTable: CommandFunction = ({ state, tr, dispatch, view }) => {
  const table = newTable(state);
  if (!table || !view || isInTable(state)) return false;
  const before = leaveSelectedNode(tr).selection.from;
  tr.replaceSelectionWith(table, false);
  let at: number | undefined;
  tr.doc.nodesBetween(Math.max(0, before - 1), tr.doc.content.size, (node, position) => {
    if (at === undefined && node.eq(table)) at = position;
    return at === undefined;
  });
  if (at !== undefined) tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
  if (dispatch) dispatchUndoStep(view, tr);
  return true;
};

/** Table commands for the toolbar and the keyboard. */
class TableEditing extends PlainExtension {
  get name() {
    return 'nimoTables' as const;
  }
  override createCommands() {
    return {
      insertTable: () => insertTable,
      changeTable: (action: TableAction) => toCommand(tableActions[action]),
    };
  }
  override createKeymap(): KeyBindings {
    const keys = Object.entries(tableKeys).map(([action, key]) => [
      key,
      toCommand(tableActions[action as TableAction]),
    ]);
    return {
      ...(Object.fromEntries(keys) as KeyBindings),
      Tab: toCommand(nextCell),
      'Shift-Tab': toCommand(goToNextCell(-1)),
    };
  }
  override createExternalPlugins(): ProsemirrorPlugin[] {
    return [tableEditing()];
  }
}

export function tableExtensions() {
  return [
    new TableNode({}),
    new TableRowNode({}),
    new TableCellNode({}),
    new TableHeaderNode({}),
    new TableEditing({}),
  ] as const;
}
