import type { CommandFunction, KeyBindings } from '@remirror/core';
import { HardBreakExtension } from 'remirror/extensions';
import { leaveSelectedNode } from '../transactions';

/** A line break on Shift+Enter. Remirror also binds Ctrl+Enter and Cmd+Enter, which send here. */
export class LineBreak extends HardBreakExtension {
  override createKeymap(): KeyBindings {
    const { 'Shift-Enter': shiftEnter } = super.createKeymap();
    return shiftEnter ? { 'Shift-Enter': shiftEnter } : {};
  }
  override insertHardBreak(): CommandFunction {
    const insert = super.insertHardBreak();
    return (props) => {
      if (props.dispatch) leaveSelectedNode(props.tr);
      return insert(props);
    };
  }
}
