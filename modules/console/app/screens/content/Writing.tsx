/** Title and text of a page, beside its preview or its text in another language. */

import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import {
  type Api,
  api,
  Button,
  CodeEditor,
  directionOf,
  fill,
  formatNumber,
  keys,
  languageName,
  messageAt,
  newUrl,
  productLocales,
  type Resource,
  recordUrl,
  ScreenLink,
  type TextEditor,
  useKeys,
  useLoad,
} from '../../public.ts'
import { useChoices } from './choices.ts'
import { InsertImage } from './InsertImage.tsx'
import { type Mark, withMark } from './marks.ts'
import type { EditProps } from './PageSettings.tsx'
import { Preview } from './Preview.tsx'
import { excessOf } from './text-length.ts'
import { useContentTexts } from './texts.ts'

interface Props extends EditProps {
  readonly resource: Resource
  readonly page: Api.PageSummary | undefined
  /** Read when the fields are in the document: the fields that they replace have been left by then. */
  readonly startCursor: () => Cursor | undefined
  readonly onLeave: (cursor: Cursor | undefined) => void
}

/** The field with the focus, and its selection in characters. */
export interface Cursor {
  readonly field: 'title' | 'body'
  readonly anchor: number
  readonly head: number
}

export function Writing({ resource, page, fields, values, errors, isReadOnly, onChange, startCursor, onLeave }: Props) {
  const c = useContentTexts()
  const editor = useRef<TextEditor>(undefined)
  const titleInput = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the fields appear, and when they are replaced
  useLayoutEffect(() => {
    const input = titleInput.current
    place(startCursor(), input, editor.current)
    return () => onLeave(cursorIn(input, editor.current))
  }, [])
  const [pane, setPane] = useState('preview')
  const others = useTranslations(resource, page).filter(({ id }) => id !== page?.id)
  const error = messageAt(errors, '/title')
  const bodyError = messageAt(errors, '/body')
  const errorId = useId()
  const body = String(values.body)
  const locale = String(values.locale || page?.locale || productLocales.default)
  const excess = excessOf(body, fields.find(({ name }) => name === 'body')?.schema.maxLength)
  return (
    <>
      {page && <LanguageTabs resource={resource} page={page} others={others} />}
      <div className={`field title-field${error ? ' invalid' : ''}`}>
        <input
          ref={titleInput}
          className="title-input"
          aria-label={c.title}
          lang={locale}
          dir={directionOf(locale)}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          placeholder={c.title}
          readOnly={isReadOnly}
          value={String(values.title)}
          onChange={event => onChange({ ...values, title: event.target.value })}
        />
        {error && (
          <p className="error" id={errorId}>
            {error}
          </p>
        )}
      </div>
      {bodyError && <p className="error">{bodyError}</p>}
      <div className="row writing-bar">
        {!isReadOnly && <Toolbar editor={editor} />}
        <select
          aria-label={c.pane}
          className="pane-select"
          value={pane}
          onChange={event => setPane(event.target.value)}
        >
          <option value="">{c.write}</option>
          <option value="preview">{c.preview}</option>
          {others.map(({ id, locale }) => (
            <option key={id} value={id}>
              {fill(c.compareWith, { language: languageName(locale) })}
            </option>
          ))}
        </select>
      </div>
      <div
        className="writing"
        data-pane={pane || undefined}
        onKeyDownCapture={event => !isReadOnly && onMarkKey(event, editor.current)}
      >
        <CodeEditor
          label={c.text}
          language="markdown"
          locale={locale}
          isReadOnly={isReadOnly}
          value={body}
          onChange={text => onChange({ ...values, body: text })}
          onReady={view => {
            editor.current = view
          }}
        />
        {pane === 'preview' && excess && (
          <p className="notice danger" role="alert">
            {fill(c.tooLong, { count: formatNumber(excess.count), limit: formatNumber(excess.limit) })}
          </p>
        )}
        {pane === 'preview' && !excess && (
          <Preview
            title={String(values.title)}
            body={body}
            template={String(values.template || page?.template || 'page')}
            locale={locale}
          />
        )}
        {pane !== '' && pane !== 'preview' && <OtherLanguage resource={resource} id={pane} />}
      </div>
    </>
  )
}

function place(cursor: Cursor | undefined, title: HTMLInputElement | null, body: TextEditor | undefined): void {
  if (!cursor) return
  const { field, anchor, head } = cursor
  if (field === 'title') {
    title?.focus()
    title?.setSelectionRange(anchor, head)
  } else if (body) {
    body.select({ anchor, head })
    body.focus()
  }
}

function cursorIn(title: HTMLInputElement | null, body: TextEditor | undefined): Cursor | undefined {
  if (title && document.activeElement === title)
    return { field: 'title', anchor: title.selectionStart ?? 0, head: title.selectionEnd ?? 0 }
  if (!body?.hasFocus) return undefined
  const { anchor, head } = body.selection()
  return { field: 'body', anchor, head }
}

function useTranslations(resource: Resource, page: Api.PageSummary | undefined): readonly Api.PageSummary[] {
  const { data = [] } = useLoad(
    keys.list(resource, 'translations', page?.slug),
    async signal => {
      const query = { 'filter[slug]': page?.slug, limit: 200 }
      return (await api.get('/v1/content/pages', { query, signal })).body.data
    },
    { isEnabled: page !== undefined },
  )
  return data
}

function LanguageTabs({
  resource,
  page,
  others,
}: {
  readonly resource: Resource
  readonly page: Api.PageSummary
  readonly others: readonly Api.PageSummary[]
}) {
  const c = useContentTexts()
  const { locales } = useChoices()
  const existing = [page, ...others].toSorted((a, b) => a.locale.localeCompare(b.locale))
  const missing = resource.operations.create
    ? locales.available.filter(locale => !existing.some(each => each.locale === locale))
    : []
  if (existing.length + missing.length < 2) return null
  return (
    <nav className="language-tabs" aria-label={c.translations}>
      {existing.map(({ id, locale, status }) => (
        <ScreenLink
          className="plain"
          key={id}
          to={recordUrl(resource, id)}
          aria-current={id === page.id ? 'page' : undefined}
        >
          {languageName(locale)} <span className="muted">{c[status]}</span>
        </ScreenLink>
      ))}
      {missing.map(locale => (
        <ScreenLink
          key={locale}
          className="missing"
          to={newUrl(resource)}
          search={{ with: { slug: page.slug, locale, title: page.title } }}
        >
          + {fill(c.addTranslation, { language: languageName(locale) })}
        </ScreenLink>
      ))}
    </nav>
  )
}

function OtherLanguage({ resource, id }: { readonly resource: Resource; readonly id: string }) {
  const { data } = useLoad(
    keys.record(resource, 'translation', id),
    async signal => (await api.get('/v1/content/pages/{id}', { path: { id }, signal })).body,
  )
  if (!data) return <div className="other-language" />
  return (
    <section
      className="other-language"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for the arrow keys
      tabIndex={0}
      aria-label={languageName(data.locale)}
      lang={data.locale}
      dir={directionOf(data.locale)}
    >
      <h2>{data.title}</h2>
      <pre className="prose">{data.body}</pre>
    </section>
  )
}

const MARKS: readonly Mark[] = ['bold', 'italic', 'heading', 'link', 'list', 'quote', 'code']
/** Ctrl, or ⌘, and the key. */
const KEYS: Partial<Readonly<Record<Mark, string>>> = { bold: 'B', italic: 'I' }

function apply(mark: Mark, editor: TextEditor | undefined): void {
  if (!editor) return
  const { anchor, head } = editor.selection()
  const range = { from: Math.min(anchor, head), to: Math.max(anchor, head) }
  const { from, to, text, selection } = withMark(editor.text(), range, mark)
  editor.select({ anchor: from, head: to })
  editor.replaceSelection(text, selection)
  editor.focus()
}

/** Before the keys of the editor, of which one is the same. */
function onMarkKey(event: KeyboardEvent, editor: TextEditor | undefined): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !editor?.hasFocus) return
  const mark = MARKS.find(each => KEYS[each] === event.key.toUpperCase())
  if (!mark) return
  event.preventDefault()
  event.stopPropagation()
  apply(mark, editor)
}

function Toolbar({ editor }: { readonly editor: { readonly current: TextEditor | undefined } }) {
  const c = useContentTexts()
  const keys = useKeys()
  return (
    <div className="row toolbar" role="toolbar" aria-label={c.toolbar}>
      {MARKS.map(mark => (
        <Button
          key={mark}
          kind="quiet"
          icon={mark}
          label={c[mark]}
          {...(KEYS[mark] && { shortcut: keys(KEYS[mark]) })}
          onPress={() => apply(mark, editor.current)}
        />
      ))}
      <InsertImage editor={editor} />
    </div>
  )
}
