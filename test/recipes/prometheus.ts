/** Reads names of metrics, and the labels that select them, out of PromQL. */

export interface Selector {
  readonly metric: string
  readonly labels: readonly Matcher[]
}
export interface Matcher {
  readonly label: string
  readonly operator: string
  readonly value: string
}

const NO_METRICS = /^(and|or|unless|by|without|on|ignoring|group_left|group_right|offset|bool|inf|nan|job|start|end)$/i
/** Labels in parentheses: `sum by (job, name)`. */
const LABEL_LISTS = /\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/gi

/** Every selector of an expression. A variable of Grafana in a range or in a value is accepted. */
export function selectorsIn(expression: string): Selector[] {
  const strings: string[] = []
  const text = expression
    .replace(/"(?:[^"\\]|\\.)*"/g, string => `"${strings.push(string.slice(1, -1)) - 1}"`)
    .replace(LABEL_LISTS, '')
    .replace(/\[[^\]]*\]/g, '')
  return [...text.matchAll(/(?<![\w:$])([a-zA-Z_:][\w:]*)\s*(\(|\{([^}]*)\})?/g)].flatMap(
    ([, metric = '', after, inner]) =>
      after === '(' || NO_METRICS.test(metric) ? [] : [{ metric, labels: matchersIn(inner ?? '', strings) }],
  )
}

const matchersIn = (text: string, strings: readonly string[]): Matcher[] =>
  [...text.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"(\d+)"/g)].map(([, label = '', operator = '', at]) => ({
    label,
    operator,
    value: strings[Number(at)] ?? '',
  }))
