/** Words that stand before a parenthesis without being a function: syntax, and names of types that take arguments. */
export const syntaxBeforeParenthesis: ReadonlySet<string> = new Set(
  (
    'all and any as between by case cast coalesce columns conflict cube default distinct do else end except exclude ' +
    'exists extract filter for from full glob group grouping grouping_id having if ifnull ilike in inner insert ' +
    'intersect into is join key lambda lateral left like limit map materialized not nullif of offset on or order over ' +
    'overlay partition pivot position qualify recursive rename repeatable replace reservoir returning right rollup ' +
    'row rows bernoulli select set sets similar some struct substring system table tablesample then to trim try try_cast ' +
    'union unpivot using values when where window with ' +
    'array bit char character dec decimal enum float geometry interval list nchar numeric precision time timestamp ' +
    'varchar varying'
  ).split(' '),
)

/** Words after which a table follows. */
export const beforeSourceTable: ReadonlySet<string> = new Set(
  'from join lateral summarize describe desc show pivot unpivot pivot_wider pivot_longer'.split(' '),
)

/** Words that end the list of tables after FROM. */
export const endsTableList: ReadonlySet<string> = new Set(
  'where group order limit offset having qualify window select set returning union except intersect values when then'.split(
    ' ',
  ),
)

/** Words that follow a table and are no alias of it. */
export const afterTable: ReadonlySet<string> = new Set(
  (
    'on using join inner left right full outer cross natural asof positional semi anti tablesample with at pivot unpivot ' +
    'where group order limit offset having qualify window select set returning union except intersect values when then ' +
    'default by for from into'
  ).split(' '),
)

/** Functions in whose arguments FROM is no clause. */
export const functionsWithFrom: ReadonlySet<string> = new Set(['extract', 'trim', 'substring', 'overlay', 'position'])
