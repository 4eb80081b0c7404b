import { json } from '@codemirror/lang-json'
import { markdown } from '@codemirror/lang-markdown'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Range } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { minimalSetup } from 'codemirror'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { directionOf } from '../data/local-text.ts'

const LANGUAGES = { json, yaml, markdown } as const

/** What a toolbar does with the text. */
export interface TextEditor {
  readonly hasFocus: boolean
  text(): string
  selection(): EditorSelection
  select(selection: EditorSelection): void
  /** Replaces the selected text. @param selection of the new text; after the inserted text by default. */
  replaceSelection(text: string, selection?: EditorSelection): void
  focus(): void
}
export interface CodeEditorProps {
  readonly id?: string
  readonly label: string
  readonly language: 'json' | 'yaml' | 'markdown'
  readonly value: string
  readonly isReadOnly?: boolean
  readonly describedBy?: string
  /** The language of the text. */
  readonly locale?: string
  readonly onChange: (value: string) => void
  /** Called with the editor, for a toolbar. */
  readonly onReady?: (editor: TextEditor) => void
}

/** In characters, as JavaScript counts them. */
export interface EditorSelection {
  readonly anchor: number
  readonly head: number
}
export interface EditorProps extends CodeEditorProps {
  /** The selection of the plain field, if it had the focus. */
  readonly focused: RefObject<EditorSelection | undefined>
}

/** The colors of base.css, so that both themes have enough contrast. */
const HIGHLIGHTING = HighlightStyle.define([
  { tag: [tags.heading, tags.strong], fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url, tags.propertyName, tags.keyword], color: 'var(--accent)' },
  { tag: [tags.string, tags.monospace], color: 'var(--success)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warning)' },
  { tag: [tags.comment, tags.meta, tags.quote, tags.processingInstruction], color: 'var(--muted)' },
  { tag: tags.invalid, color: 'var(--danger)' },
])
const SELECTION = '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground'
const THEME = EditorView.theme({
  // The frame around the editor shows the focus.
  '&.cm-focused': { outline: 'none' },
  [SELECTION]: { background: 'var(--selection)' },
  '.cm-content': { padding: '10px 0' },
  '.cm-line': { padding: '0 12px', unicodeBidi: 'plaintext', textAlign: 'start' },
})

const DIRECTED = Decoration.line({ attributes: { dir: 'auto' } })
const LETTER = /\p{L}/u

/**
 * Lines have the direction of their first letter. The editor reads it from the style `direction` to move its cursor, which
 * `unicode-bidi: plaintext` alone doesn't change. Lines without letters have the direction of the whole text.
 */
const LINE_DIRECTIONS = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = directionsIn(view)
    }

    update({ docChanged, viewportChanged, view }: ViewUpdate) {
      if (docChanged || viewportChanged) this.decorations = directionsIn(view)
    }
  },
  { decorations: plugin => plugin.decorations },
)

function directionsIn({ state, visibleRanges }: EditorView): DecorationSet {
  const found: Range<Decoration>[] = []
  for (const { from, to } of visibleRanges)
    for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
      if (LETTER.test(line.text)) found.push(DIRECTED.range(line.from))
      if (line.to >= to) break
    }
  return Decoration.set(found)
}

const nonce = () => document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? ''

export default function CodeMirror({
  label,
  language,
  value,
  isReadOnly,
  describedBy,
  locale,
  onChange,
  onReady,
  focused,
}: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const changed = useRef(onChange)
  changed.current = onChange
  // Before the next key: it belongs to the editor if the plain field had the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later values are applied by the effect below
  useLayoutEffect(() => {
    if (!host.current) return
    view.current = new EditorView({
      parent: host.current,
      doc: value,
      extensions: [
        minimalSetup,
        THEME,
        syntaxHighlighting(HIGHLIGHTING),
        LANGUAGES[language](),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        LINE_DIRECTIONS,
        EditorView.cspNonce.of(nonce()),
        EditorState.readOnly.of(isReadOnly ?? false),
        EditorView.contentAttributes.of({
          'aria-label': label,
          tabindex: '0',
          ...(isReadOnly && { 'aria-readonly': 'true' }),
          ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
        }),
        EditorView.updateListener.of(update => {
          if (update.docChanged) changed.current(update.state.doc.toString())
        }),
      ],
    })
    if (focused.current) {
      view.current.dispatch({ selection: focused.current })
      view.current.focus()
      focused.current = undefined
    }
    onReady?.(textEditor(view.current))
    return () => view.current?.destroy()
  }, [language])
  useEffect(() => {
    const editor = view.current
    if (editor && editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  return <div className="code-editor" ref={host} lang={locale} dir={locale && directionOf(locale)} />
}

const textEditor = (view: EditorView): TextEditor => ({
  get hasFocus() {
    return view.hasFocus
  },
  text: () => view.state.doc.toString(),
  selection: () => view.state.selection.main,
  select: selection => view.dispatch({ selection }),
  replaceSelection(text, selection) {
    const { from, to } = view.state.selection.main
    const end = from + text.length
    view.dispatch({ changes: { from, to, insert: text }, selection: selection ?? { anchor: end, head: end } })
  },
  focus: () => view.focus(),
})
