/** Renders the Markdown fields of rows. */
import { type Deps, isRecord, MIB, markdownText, Problem } from '@larder-dev/larder/kernel'
import { escapeHtml } from '@larder-dev/larder/kernel/internal'
import type { Collection } from '../domain/declarations/collection.ts'
import type { ListedRow } from '../domain/queries/list-query.ts'
import { nameOf, type Selection } from '../domain/queries/selection.ts'

/** Characters of all texts with their HTML that are kept, because most visitors read the same rows. */
const MAX_KEPT_LENGTH = 4 * MIB

export interface MarkdownFields {
  /** False if the product has no renderer, without which rows keep their texts. */
  readonly canRender: boolean
  /** The rows, and those that they contain, with values for the helper `markdown`. */
  forTemplates(tenantId: string, rows: readonly ListedRow[], selection: Selection): Promise<readonly ListedRow[]>
  /** The rows, and those that they contain, with sanitized HTML. */
  asHtml(tenantId: string, rows: readonly ListedRow[], selection: Selection): Promise<readonly ListedRow[]>
}

type Wrap = (source: string, rendered: string) => unknown

export function createMarkdownFields({ markdownHtml }: Deps<never, 'markdownHtml'>): MarkdownFields {
  const kept = new Map<string, string>()
  let keptLength = 0

  async function toHtml(tenantId: string, text: string): Promise<string> {
    const known = kept.get(text)
    if (known !== undefined) return known
    const rendered = (await markdownHtml?.render(tenantId, text).catch(asPlainText(text))) ?? escapeHtml(text)
    // Rows are read at the same time.
    if (kept.has(text)) return rendered
    kept.set(text, rendered)
    keptLength += text.length + rendered.length
    for (const [oldest, html] of kept) {
      if (keptLength <= MAX_KEPT_LENGTH) break
      kept.delete(oldest)
      keptLength -= oldest.length + html.length
    }
    return rendered
  }

  async function renderedValue(tenantId: string, value: unknown, field: Field, wrap: Wrap): Promise<unknown> {
    if (field.isMarkdown)
      return typeof value === 'string' && value !== '' ? wrap(value, await toHtml(tenantId, value)) : value
    if (!field.expanded) return value
    if (Array.isArray(value)) return render(tenantId, value.filter(isRecord), field.expanded, wrap)
    return isRecord(value) ? (await render(tenantId, [value], field.expanded, wrap))[0] : value
  }

  /** One after another, because a workspace can have a few renderings at a time. */
  async function render(
    tenantId: string,
    rows: readonly ListedRow[],
    selection: Selection,
    wrap: Wrap,
  ): Promise<readonly ListedRow[]> {
    const fields = markdownFieldsOf(selection)
    if (fields.length === 0 || !markdownHtml) return rows
    const rendered: ListedRow[] = []
    for (const row of rows) {
      const values: ListedRow = { ...row }
      for (const field of fields)
        if (field.name in row) values[field.name] = await renderedValue(tenantId, row[field.name], field, wrap)
      rendered.push(values)
    }
    return rendered
  }
  return {
    canRender: markdownHtml !== undefined,
    forTemplates: (tenantId, rows, selection) => render(tenantId, rows, selection, markdownText),
    asHtml: (tenantId, rows, selection) => render(tenantId, rows, selection, (_source, rendered) => rendered),
  }
}

interface Field {
  readonly name: string
  readonly isMarkdown: boolean
  readonly expanded: Selection | undefined
}

function markdownFieldsOf({ collection, targets, expansions }: Selection): Field[] {
  return targets
    .map(nameOf)
    .map(name => ({ name, isMarkdown: isMarkdown(collection, name), expanded: expansions.get(name) }))
    .filter(field => field.isMarkdown || field.expanded)
}

const isMarkdown = ({ fields }: Collection, name: string): boolean => fields.get(name)?.type === 'markdown'

/** A text of one row must not break the page: one that takes too long to render is shown as it was written. */
const asPlainText =
  (text: string) =>
  (error: unknown): string => {
    if (!Problem.is(error) || error.code !== 'body_too_costly') throw error
    return `<p>${escapeHtml(text)}</p>`
  }
