/** Renders Markdown to sanitized HTML. */
import { type Bounds, MIB, OverBounds, runWithLimits } from 'larder/kernel'
import type { IOptions } from 'sanitize-html'
import { problems } from '../problems.ts'

/** `time` in milliseconds, which block the process. A real text of the maximum length takes a tenth of it. */
const RENDER_LIMITS = { size: MIB, time: 500 }

/** Allows prose and tables, and nothing that runs scripts, loads frames, shows inputs or styles the page around it. */
const SANITIZE_OPTIONS: IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'span', 'br', 'hr', 'blockquote', 'pre', 'code', 'kbd', 'samp'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'strong', 'em', 'b', 'i', 's', 'u', 'del', 'ins', 'mark', 'small', 'sub'],
    ...['sup', 'abbr', 'q', 'cite', 'a', 'img', 'figure', 'figcaption', 'details', 'summary'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
    abbr: ['title'],
    ol: ['start'],
    details: ['open'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedClasses: { code: [/^language-[\w+#-]{1,30}$/] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 100,
}

let renderer: Promise<(text: string) => string> | undefined

/** Loaded on first use, because most processes render no page at startup. */
async function load(): Promise<(text: string) => string> {
  const [{ default: MarkdownIt }, { default: sanitize }] = await Promise.all([
    import('markdown-it'),
    import('sanitize-html'),
  ])
  const markdown = new MarkdownIt({ html: true, linkify: true, maxNesting: 50 } as object)
  // Links text with a scheme only: `readme.md` is a file, not a host.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  return text => sanitize(markdown.render(text), SANITIZE_OPTIONS)
}

/** CommonMark, tables and strikethrough → HTML. Throws problem `body_too_costly` after 500 ms or over 1 MiB. */
export async function renderMarkdown(text: string, bounds: Bounds = RENDER_LIMITS): Promise<string> {
  renderer ??= load()
  const render = await renderer
  try {
    return runWithLimits(bounds, () => render(text))
  } catch (error) {
    // Deep nesting can exhaust the stack before the time limit.
    if (error instanceof OverBounds || error instanceof RangeError) throw problems.body_too_costly()
    throw error
  }
}
