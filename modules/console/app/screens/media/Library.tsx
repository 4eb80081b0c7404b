/** All files as a grid with thumbnails: search, filters, upload. */

import { type DragEvent, useEffect, useRef, useState } from 'react'
import {
  type Api,
  Button,
  crumbsOf,
  EmptyState,
  FileTrigger,
  FilterSelect,
  fill,
  formatNumber,
  formatSize,
  Icon,
  iconOf,
  isInProgress,
  ListContent,
  type ListSearch,
  LoadMore,
  NoMatches,
  Page,
  type Resource,
  type ResourceScreenProps,
  recordUrl,
  ScreenLink,
  StateBadge,
  TypedInput,
  UploadList,
  useFilterChange,
  useGet,
  useImageUrl,
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
          <ul className="media-grid" aria-label={c.files}>
            {items.map(item => (
              <Tile key={item.id} resource={resource} item={item} href={recordUrl(resource, item.id)} />
            ))}
          </ul>
          <p className="list-footer muted" role="status">
            {items.length > 0 && fill(c.folderFiles, { count: formatNumber(items.length) })}
            <LoadMore list={list} />
          </p>
        </ListContent>
      </div>
    </Page>
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
  const url = useImageUrl(item, 'thumbnail', isVisible)
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
        <span className="media-thumb">{url ? <img src={url} alt="" /> : <Icon name={iconOf(item)} size={32} />}</span>
        <span className="media-name">{item.fileName}</span>
        <span className="row media-facts">
          <span className="muted">{formatSize(item.size)}</span>
          {item.status !== 'ready' && <StateBadge states={resource.states.status} value={item.status} />}
        </span>
      </ScreenLink>
    </li>
  )
}
