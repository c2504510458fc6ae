// Custom lint rules for Oxlint.

/** A rule that reports every node matched by the selectors. */
const disallow = (message, ...selectors) => ({
  create: (context) =>
    Object.fromEntries(selectors.map((selector) => [selector, (node) => context.report({ node, message })])),
});

// Nothing catches the rejection of a listener. `no-misused-promises` rejects async listeners; `void` would hide them.
const LISTEN_METHODS = 'on|once|addListener|prependListener|addEventListener';
const UNHANDLED_VOID =
  "ArrowFunctionExpression UnaryExpression[operator='void'] > CallExpression:not([callee.property.name='catch'])";

const UPPER_CASE_SQL =
  '^\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|BEGIN|COMMIT|ROLLBACK)\\b';

const isType = ({ isTypeReference, isValueReference }) => isTypeReference && !isValueReference;

/** consistent-type-imports for Nest: Oxlint's own rule doesn't know that decorator metadata uses parameter types as values. */
const typeImport = {
  create(context) {
    const imports = [];
    let isDecorated = false;
    return {
      Decorator() {
        isDecorated = true;
      },
      ImportSpecifier(node) {
        if (node.importKind !== 'type' && node.parent.importKind !== 'type') imports.push(node);
      },
      'Program:exit'() {
        if (isDecorated) return;
        for (const node of imports) {
          const [{ name, references }] = context.sourceCode.getDeclaredVariables(node);
          if (references.length > 0 && references.every(isType))
            context.report({ node, message: `Import \`${name}\` with \`type\`: it is only used as a type.` });
        }
      },
    };
  },
};

export default {
  meta: { name: 'nimo' },
  rules: {
    'unguarded-listener': disallow(
      'Handle rejections in listeners: use `guarded(…)` or `.catch(…)`.',
      `CallExpression[callee.name=/^set(Timeout|Interval|Immediate)$/] > ${UNHANDLED_VOID}`,
      `CallExpression[callee.property.name=/^(${LISTEN_METHODS})$/] > ${UNHANDLED_VOID}`,
      `Property[key.name=/^on[A-Z]/] > ${UNHANDLED_VOID}`,
    ),
    // `pg` only handles errors of idle connections.
    'open-connection': disallow(
      'A broken connection must not crash the process: use `openPool(…)` or `newClient(…)`.',
      "NewExpression[callee.object.name='pg'][callee.property.name=/^(Pool|Client)$/]",
    ),
    'type-import': typeImport,
    // A bare subscription misses events before the API listens and while the socket is down.
    'bare-subscription': disallow(
      'Use `useLive(…)` from `lib/api/live.ts`: bare subscriptions miss signals.',
      "CallExpression[callee.object.name=/^(client|apollo)$/][callee.property.name='subscribe']",
    ),
    'private-name': disallow('Use `private name` instead of `#name`.', 'PrivateIdentifier'),
    'sql-case': disallow(
      'Write SQL keywords in lower case.',
      `TemplateElement[value.raw=/${UPPER_CASE_SQL}/]`,
      `CallExpression[callee.property.name='query'] Literal[value=/${UPPER_CASE_SQL}/]`,
    ),
  },
};
