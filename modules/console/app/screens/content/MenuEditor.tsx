/** The items of a menu: reordered by dragging, buttons or keyboard. A menu that doesn't exist yet is created when it is saved. */

import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import {
  type Api,
  api,
  Button,
  crumbsOf,
  EmptyState,
  ErrorState,
  Failure,
  fieldErrors,
  fill,
  InlineCode,
  inlineKey,
  isStatus,
  keys,
  Loading,
  MAX_PAGE,
  Page,
  productLocales,
  RecordCommands,
  type Resource,
  type ResourceScreenProps,
  TextLanguage,
  textIn,
  UnsavedChanges,
  useAction,
  useGet,
  useLoad,
  useRefresh,
  withText,
} from '../../public.ts'
import {
  type Direction,
  type FlatItem,
  flatten,
  moveItem,
  newItem,
  pointersOf,
  removeItem,
  stepItem,
  toTree,
} from './menu-items.ts'
import { useContentTexts } from './texts.ts'
import './content.css'

export default function MenuEditor({ resource, id: key }: ResourceScreenProps) {
  const [resets, setResets] = useState(0)
  const { data, error, refetch } = useLoad(
    keys.record(resource, key),
    async signal => {
      if (!resource.operations.get) return null
      try {
        return (await api.get('/v1/content/navigation/{key}', { path: { key }, signal })).body
      } catch (failure) {
        if (isStatus(failure, 404)) return null
        throw failure
      }
    },
    // The items in the form would be replaced while somebody types.
    { freshMs: Number.POSITIVE_INFINITY, isForgotten: true },
  )
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (data === undefined) return <Loading />
  return (
    <Editor
      key={`${key} ${resets}`}
      resource={resource}
      menuKey={key}
      menu={data}
      onReset={() => setResets(resets + 1)}
    />
  )
}

interface EditorProps {
  readonly resource: Resource
  readonly menuKey: string
  readonly menu: Api.Menu | null
  /** The items of the recipe have replaced those of the form. */
  readonly onReset: () => void
}

function Editor({ resource, menuKey, menu, onReset }: EditorProps) {
  const c = useContentTexts()
  const pages = usePages()
  const [items, setItems] = useState<readonly FlatItem[]>(() => flatten(menu?.items ?? []))
  const [saved, setSaved] = useState(() => JSON.stringify(menu?.items ? toTree(flatten(menu.items)) : []))
  const [locale, setLocale] = useState<string>(productLocales.default)
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, run } = useAction({ onDone: useRefresh(resource), onFailure: setFailure })
  const [announcement, setAnnouncement] = useState('')
  const [dragged, setDragged] = useState<number>()
  const list = useRef<HTMLOListElement>(null)
  const isDirty = JSON.stringify(toTree(items)) !== saved
  const isReadOnly = menu !== null && !menu.editable
  const update = isReadOnly ? undefined : resource.operations.update
  const errors = fieldErrors(failure)
  const pointers = pointersOf(items)

  const nameOf = (item: FlatItem, index: number) => textIn(item.label, locale) || fill(c.unnamed, { number: index + 1 })
  const change = (index: number, next: Partial<FlatItem>) =>
    setItems(items.map((item, at) => (at === index ? { ...item, ...next } : item)))
  function step(index: number, direction: Direction) {
    const item = items[index]
    const next = stepItem(items, index, direction)
    if (!item || next === items) return
    setItems(next)
    const at = next.findIndex(({ id }) => id === item.id)
    const level = (next[at]?.depth ?? 0) + 1
    setAnnouncement(fill(c.movedTo, { name: nameOf(item, index), position: at + 1, level }))
  }
  async function save() {
    if (!update) return
    const tree = toTree(items)
    await api.put('/v1/content/navigation/{key}', { path: { key: menuKey }, body: { items: tree } })
    setSaved(JSON.stringify(tree))
  }
  const drop = (event: DragEvent, index: number) => {
    event.preventDefault()
    const from = items.findIndex(({ id }) => id === dragged)
    setDragged(undefined)
    const target = items[index]
    if (from < 0 || !target) return
    const { top, height } = event.currentTarget.getBoundingClientRect()
    const isBelow = event.clientY > top + height / 2
    setItems(moveItem(items, from, isBelow ? index + 1 : index, target.depth))
  }
  // A new item gets the focus.
  const count = useRef(items.length)
  useEffect(() => {
    if (items.length > count.current) list.current?.querySelector<HTMLElement>('li:last-child input')?.focus()
    count.current = items.length
  }, [items.length])

  return (
    <Page
      title={menuKey}
      crumbs={crumbsOf(resource)}
      actions={
        update && (
          <>
            {isDirty && <span className="muted">{c.unsavedChanges}</span>}
            {menu?.managedBy === 'recipe' && (
              <RecordCommands resource={resource} record={{ ...menu }} label={menuKey} onChanged={onReset} />
            )}
            <Button
              kind="primary"
              isDisabled={isBusy || (!isDirty && menu !== null)}
              onPress={() => run(save, c.menuSaved)}
            >
              {c.saveMenu}
            </Button>
          </>
        )
      }
    >
      {isReadOnly ? (
        <p className="notice info">
          <InlineCode text={fill(c.menuFromRecipe, { line: 'modules.content.editable: true' })} />
        </p>
      ) : (
        <p className="lead">
          {c.menuHint} {c.menuLive}
        </p>
      )}
      <Failure error={failure} fields={pointers} />
      <TextLanguage locale={locale} onChange={setLocale} />
      {items.length === 0 && <EmptyState icon="list-tree" title={c.noItems} text={c.noItemsText} />}
      <fieldset disabled={isReadOnly}>
        <ol className="sortable" ref={list} aria-label={c.menuItems}>
          {items.map((item, index) => (
            <ItemRow
              key={item.id}
              item={item}
              name={nameOf(item, index)}
              label={textIn(item.label, locale)}
              pages={pages}
              isReadOnly={isReadOnly}
              error={[...errors].find(([pointer]) => isOwn(pointer, pointers[index] ?? ''))?.[1]}
              onLabel={text => change(index, { label: withText(item.label, locale, text, productLocales.default) })}
              onChange={next => change(index, next)}
              onStep={direction => step(index, direction)}
              onRemove={() => setItems(removeItem(items, index))}
              onDrag={() => setDragged(item.id)}
              onDrop={event => drop(event, index)}
            />
          ))}
        </ol>
      </fieldset>
      {update && (
        <div className="row">
          <Button icon="plus" onPress={() => setItems([...items, newItem()])}>
            {c.addMenuItem}
          </Button>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <UnsavedChanges isDirty={isDirty} />
    </Page>
  )
}

/** Errors of the item, not of those below it. */
const isOwn = (pointer: string, item: string): boolean =>
  pointer === item || (pointer.startsWith(`${item}/`) && !pointer.startsWith(`${item}/items/`))

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'out',
  ArrowRight: 'in',
}

interface RowProps {
  readonly item: FlatItem
  readonly name: string
  readonly label: string
  readonly pages: readonly Api.PageSummary[]
  readonly isReadOnly: boolean
  readonly error: string | undefined
  readonly onLabel: (text: string) => void
  readonly onChange: (next: Partial<FlatItem>) => void
  readonly onStep: (direction: Direction) => void
  readonly onRemove: () => void
  readonly onDrag: () => void
  readonly onDrop: (event: DragEvent) => void
}

function ItemRow({
  item,
  name,
  label,
  pages,
  isReadOnly,
  error,
  onLabel,
  onChange,
  onStep,
  onRemove,
  onDrag,
  onDrop,
}: RowProps) {
  const c = useContentTexts()
  const slugs = [...new Set([...pages.map(({ slug }) => slug), ...(item.page ? [item.page] : [])])]
  const titleOf = (slug: string) => {
    const found = pages.filter(page => page.slug === slug)
    return (found.find(({ locale }) => locale === productLocales.default) ?? found[0])?.title ?? slug
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = event.altKey ? KEYS[inlineKey(event)] : undefined
    if (!direction) return
    event.preventDefault()
    onStep(direction)
  }
  return (
    <li
      className={`menu-row panel field${error ? ' invalid' : ''}`}
      style={{ marginInlineStart: item.depth * 28 }}
      onKeyDown={onKeyDown}
      onDragOver={event => event.preventDefault()}
      onDrop={onDrop}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons and keys do the same */}
      <span
        className="grip"
        draggable={!isReadOnly}
        title={fill(c.dragItem, { name })}
        onDragStart={event => {
          event.dataTransfer.effectAllowed = 'move'
          event.dataTransfer.setData('text/plain', name)
          onDrag()
        }}
      >
        {!isReadOnly && '⠿'}
      </span>
      <input
        aria-label={`${c.label}: ${name}`}
        placeholder={c.label}
        value={label}
        onChange={event => onLabel(event.target.value)}
      />
      <select
        aria-label={`${c.targetKind}: ${name}`}
        value={item.kind}
        onChange={event => onChange({ kind: event.target.value as FlatItem['kind'] })}
      >
        <option value="page">{c.targetPage}</option>
        <option value="path">{c.targetPath}</option>
        <option value="none">{c.targetNone}</option>
      </select>
      {item.kind === 'page' && (
        <select
          aria-label={`${c.targetPage}: ${name}`}
          value={item.page}
          onChange={event => onChange({ page: event.target.value })}
        >
          <option value="">–</option>
          {slugs.map(slug => (
            <option key={slug} value={slug}>
              {titleOf(slug)}
            </option>
          ))}
        </select>
      )}
      {item.kind === 'path' && (
        <input
          aria-label={`${c.targetPath}: ${name}`}
          placeholder="/path"
          value={item.path}
          onChange={event => onChange({ path: event.target.value })}
        />
      )}
      {item.kind === 'none' && <span />}
      <input
        aria-label={`${c.permission}: ${name}`}
        placeholder={c.everyone}
        value={item.permission}
        onChange={event => onChange({ permission: event.target.value.trim() })}
      />
      {!isReadOnly && (
        <span className="menu-buttons">
          <Button kind="quiet" icon="arrow-up" label={fill(c.moveUp, { name })} onPress={() => onStep('up')} />
          <Button kind="quiet" icon="arrow-down" label={fill(c.moveDown, { name })} onPress={() => onStep('down')} />
          <Button kind="quiet" icon="indent-decrease" label={fill(c.outdent, { name })} onPress={() => onStep('out')} />
          <Button kind="quiet" icon="indent-increase" label={fill(c.indent, { name })} onPress={() => onStep('in')} />
          <Button kind="quiet" icon="trash-2" label={fill(c.removeItem, { name })} onPress={onRemove} />
        </span>
      )}
      {error && <p className="error">{error}</p>}
    </li>
  )
}

/** Pages that items can link to; none for people who may not read pages. */
function usePages(): readonly Api.PageSummary[] {
  return useGet('/v1/content/pages', { query: { limit: MAX_PAGE } }).data?.data ?? []
}
