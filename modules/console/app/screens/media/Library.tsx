/** All files as a grid with thumbnails: search, filters, upload. */

import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import {
  type Api,
  Button,
  Cell,
  type Column,
  crumbsOf,
  EmptyState,
  FileTrigger,
  FilterSelect,
  fill,
  formatNumber,
  formatSize,
  Icon,
  iconOf,
  inlineKey,
  isInProgress,
  ListContent,
  type ListSearch,
  LoadMore,
  labelIn,
  moreOf,
  NoMatches,
  Page,
  type Resource,
  type ResourceScreenProps,
  recordUrl,
  ScreenLink,
  StateBadge,
  Table,
  TypedInput,
  UploadList,
  useFilterChange,
  useGet,
  useImageUrl,
  useKeptChoice,
  useNavigate,
  usePermissions,
  useRefresh,
  useRows,
  useSearch,
  useUploads,
  wordOf,
} from '../../public.ts'
import { FOLDER_FILTER, FolderList, FolderTrail, NewFolder } from './Folders.tsx'
import { useMediaTexts } from './texts.ts'
import './media.css'

const STATUSES = ['ready', 'processing', 'uploaded', 'pending', 'rejected', 'expired'] as const
const TYPES = [
  ['image/*', 'images'],
  ['application/pdf', 'documents'],
  ['application/zip', 'archives'],
  ['video/*', 'videos'],
  ['audio/*', 'audio'],
] as const
/** While files are being checked. */
const REFRESH_MS = 2000
/** As the API names it. */
const TOP_LEVEL = '/'
const NO_SCOPE = {}
const VIEWS = ['grid', 'list'] as const

export default function Library({ resource }: ResourceScreenProps) {
  const c = useMediaTexts()
  const navigate = useNavigate()
  const search = useSearch()
  const refresh = useRefresh(resource)
  const { may } = usePermissions()
  const mayUpload = may('media.item.create')
  const { [FOLDER_FILTER]: folder = '', ...filters } = search.filters ?? {}
  const isNarrowed = Boolean(search.q) || Object.keys(filters).length > 0
  const folders = useGet('/v1/media/folders', {
    query: { parent: folder },
    isEnabled: !isNarrowed,
  })
  const { uploads, add, cancel, clear } = useUploads(() => {
    refresh()
    folders.refetch()
  }, folder)
  const [isOver, setOver] = useState(false)
  const [view, setView] = useKeptChoice('files', VIEWS)
  // A search covers the subfolders, too.
  const place: Readonly<Record<string, string>> = isNarrowed
    ? { 'filter[within]': folder }
    : { [FOLDER_FILTER]: folder || TOP_LEVEL }
  const list = useRows<'/v1/media'>(resource, { ...search, filters: { ...filters, ...place } }, NO_SCOPE, true)
  const items = list.rows
  const isChecking = items.some(isInProgress)
  const { refetch } = list
  useEffect(() => {
    if (!isChecking) return
    const timer = setInterval(refetch, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isChecking, refetch])
  const change = (next: Partial<ListSearch>) =>
    navigate({ to: '.', search: (before: ListSearch) => ({ ...before, ...next }), replace: true })
  const filter = useFilterChange()
  const clearSearch = () => change({ q: undefined, filters: folder === '' ? undefined : { [FOLDER_FILTER]: folder } })
  const subfolders = isNarrowed ? [] : (folders.data?.data ?? [])
  const onDrag = (event: DragEvent, isInside: boolean) => {
    if (!mayUpload || !event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(isInside)
  }
  const onDrop = (event: DragEvent) => {
    onDrag(event, false)
    if (mayUpload) add(event.dataTransfer.files)
  }
  const uploadButton = mayUpload && (
    <FileTrigger allowsMultiple onSelect={add}>
      <Button kind="primary" icon="upload">
        {c.upload}
      </Button>
    </FileTrigger>
  )
  return (
    <Page
      title={resource.title}
      crumbs={crumbsOf({ ...resource, within: '' })}
      actions={
        mayUpload && (
          <>
            <NewFolder parent={folder} onOpen={path => change({ q: undefined, filters: { [FOLDER_FILTER]: path } })} />
            {uploadButton}
          </>
        )
      }
    >
      <FolderTrail folder={folder} />
      <div className="toolbar">
        <TypedInput value={search.q ?? ''} label={c.search} onChange={q => filter({ q })} />
        <FilterSelect
          label={c.type}
          value={search.filters?.['filter[mimeType]'] ?? ''}
          all={c.allTypes}
          options={TYPES.map(([type, text]) => [type, c[text]])}
          onChange={type => filter({ 'filter[mimeType]': type })}
        />
        <FilterSelect
          label={c.status}
          value={search.filters?.['filter[status]'] ?? ''}
          all={c.allStatuses}
          options={STATUSES.map(status => [status, wordOf(status, resource.states.status)])}
          onChange={status => filter({ 'filter[status]': status })}
        />
        <FilterSelect
          label={c.sort}
          value={search.sort ?? '-createdAt'}
          all={null}
          options={[
            ['-createdAt', c.newest],
            ['createdAt', c.oldest],
          ]}
          onChange={sort => change({ sort })}
        />
        <fieldset className="library-views">
          <legend className="visually-hidden">{c.view}</legend>
          {VIEWS.map(each => (
            <Button
              key={each}
              kind="quiet"
              icon={each === 'grid' ? 'layout-grid' : 'list'}
              label={c[each]}
              aria-pressed={each === view}
              onPress={() => setView(each)}
            />
          ))}
        </fieldset>
      </div>
      <UploadList uploads={uploads} onCancel={cancel} onClear={clear} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button does the same */}
      <div
        className={`library${isOver ? ' over' : ''}`}
        onDragEnter={event => onDrag(event, true)}
        onDragOver={event => onDrag(event, true)}
        onDragLeave={event => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
        onDrop={onDrop}
      >
        {isOver && <p className="library-drop">{c.drop}</p>}
        <ListContent
          list={list}
          isEmpty={items.length === 0 && subfolders.length === 0}
          empty={
            isNarrowed ? (
              <NoMatches onClear={clearSearch} />
            ) : (
              <EmptyState
                icon="image"
                title={folder === '' ? c.empty : c.folderEmpty}
                text={mayUpload ? c.emptyText : c.emptyReadText}
              >
                {uploadButton}
              </EmptyState>
            )
          }
        >
          <FolderList folders={subfolders} />
          {view === 'list' && items.length > 0 ? (
            <FileTable resource={resource} items={items} {...moreOf(list)} />
          ) : (
            <ul className="media-grid" aria-label={c.files} onKeyDown={moveFocus}>
              {items.map(item => (
                <Tile key={item.id} resource={resource} item={item} href={recordUrl(resource, item.id)} />
              ))}
            </ul>
          )}
          <p className="list-footer muted" role="status">
            {items.length > 0 && fill(c.folderFiles, { count: formatNumber(items.length) })}
            {view === 'grid' && <LoadMore list={list} />}
          </p>
        </ListContent>
      </div>
    </Page>
  )
}

/** The arrow keys move between the tiles, also up and down. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const perRow = links.filter(({ offsetTop }) => offsetTop === links[0]?.offsetTop).length
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -perRow, ArrowDown: perRow }
  const next = links[at + (steps[inlineKey(event)] ?? 0)]
  if (at < 0 || !next || next === links[at]) return
  event.preventDefault()
  next.focus()
}

interface FileTableProps {
  readonly resource: Resource
  readonly items: readonly Api.MediaItem[]
  readonly hasMore: boolean
  readonly onLoadMore: () => void
}

function FileTable({ resource, items, ...more }: FileTableProps) {
  const cellOf = (name: keyof Api.MediaItem) => (item: Api.MediaItem) => <Cell name={name} value={item[name]} />
  const columns: readonly Column<Api.MediaItem>[] = [
    {
      id: 'fileName',
      title: labelIn(resource, 'fileName'),
      cell: item => (
        <ScreenLink className="row-link media-row" to={recordUrl(resource, item.id)}>
          <Thumbnail item={item} isVisible={true} size={16} />
          <span>{item.fileName}</span>
        </ScreenLink>
      ),
    },
    { id: 'mimeType', title: labelIn(resource, 'mimeType'), cell: cellOf('mimeType') },
    { id: 'size', kind: 'number', title: labelIn(resource, 'size'), cell: ({ size }) => formatSize(size) },
    {
      id: 'status',
      kind: 'state',
      title: labelIn(resource, 'status'),
      cell: ({ status }) => <StateBadge states={resource.states.status} value={status} />,
    },
    { id: 'createdBy', kind: 'link', title: labelIn(resource, 'createdBy'), cell: cellOf('createdBy') },
    { id: 'createdAt', kind: 'time', title: labelIn(resource, 'createdAt'), cell: cellOf('createdAt') },
  ]
  return (
    <Table
      label={resource.title}
      columns={columns}
      rows={items}
      rowKey={({ id }) => id}
      rowLabel={({ fileName }) => fileName}
      {...more}
    />
  )
}

interface ThumbnailProps {
  readonly item: Api.MediaItem
  /** Whether its picture is loaded. */
  readonly isVisible: boolean
  /** Pixels of the icon in place of a picture. */
  readonly size: number
}

function Thumbnail({ item, isVisible, size }: ThumbnailProps) {
  const url = useImageUrl(item, 'thumbnail', isVisible)
  return (
    <span className="media-thumb">{url ? <img src={url} alt="" /> : <Icon name={iconOf(item)} size={size} />}</span>
  )
}

interface TileProps {
  readonly resource: Resource
  readonly item: Api.MediaItem
  readonly href: string
}

function Tile({ resource, item, href }: TileProps) {
  const tile = useRef<HTMLLIElement>(null)
  const [isVisible, setVisible] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setVisible(true), {
      rootMargin: '200px',
    })
    if (tile.current) observer.observe(tile.current)
    return () => observer.disconnect()
  }, [])
  return (
    <li ref={tile}>
      <ScreenLink className="media-tile panel" to={href}>
        <Thumbnail item={item} isVisible={isVisible} size={32} />
        <span className="media-name">{item.fileName}</span>
        <span className="row media-facts">
          <span className="muted">{formatSize(item.size)}</span>
          {item.status !== 'ready' && <StateBadge states={resource.states.status} value={item.status} />}
        </span>
      </ScreenLink>
    </li>
  )
}
