/** Renders the bodies of pages. */
import { type Deps, MIB, Problem, SECOND, type WorkerTask, workerPoolProblems } from '@larder-dev/larder/kernel'
import type { renderMarkdown } from '../domain/markdown.ts'
import { problems } from '../problems.ts'

export interface RenderedBody {
  readonly body: string
  readonly html: string
}
export interface MarkdownRenderer {
  /** Throws problem `body_too_costly` after 1 s or over 1 MiB of HTML. Don't call it inside a unit of work. */
  render(tenantId: string, body: string): Promise<RenderedBody>
  /** Renders a text of the recipe on this thread: starting a worker would slow down the start of the product. */
  renderTrusted(body: string): Promise<RenderedBody>
}

/** A real text of the maximum length takes a tenth of it on an idle machine. */
const TIMEOUT_MS = SECOND
/** Characters. */
const MAX_HTML_LENGTH = MIB

/** Texts within both limits render in half a millisecond, whatever they contain: a worker thread costs as much. */
const MAX_INLINE_LENGTH = 1000
const MAX_INLINE_MARKUP = 40
const MARKUP = /[^\p{L}\p{N} .,]/gu
const isInexpensive = (body: string): boolean =>
  body.length <= MAX_INLINE_LENGTH && (body.match(MARKUP)?.length ?? 0) <= MAX_INLINE_MARKUP

let loaded: typeof renderMarkdown | undefined
/** Loads the renderer on first use, because most processes render no page. */
async function renderInline(body: string): Promise<RenderedBody> {
  loaded ??= (await import('../domain/markdown.ts')).renderMarkdown
  return { body, html: loaded(body) }
}

const renderTask: WorkerTask<typeof renderMarkdown> = {
  file: new URL('../domain/markdown.js', import.meta.url),
  name: 'renderMarkdown',
}

export function createMarkdownRenderer({ workerPool }: Deps<'workerPool'>): MarkdownRenderer {
  return {
    async render(tenantId, body) {
      if (isInexpensive(body)) return renderInline(body)
      const html = await workerPool.run(renderTask, body, { tenantId, timeoutMs: TIMEOUT_MS }).catch(error => {
        throw Problem.is(error) && error.code === workerPoolProblems.limit_exceeded.code
          ? problems.body_too_costly()
          : error
      })
      if (html.length > MAX_HTML_LENGTH) throw problems.body_too_costly()
      return { body, html }
    },
    renderTrusted: renderInline,
  }
}
