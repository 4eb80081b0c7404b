/** All files as a grid with thumbnails: search, filters, upload. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { StateBadge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { EmptyState, NoMatches } from '../../components/EmptyState.tsx'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { Icon } from '../../components/Icon.tsx'
import { ListContent } from '../../components/ListContent.tsx'
import { LoadMore } from '../../components/LoadMore.tsx'
import { Page } from '../../components/Page.tsx'
import { TypedInput } from '../../components/TypedInput.tsx'
import type { MediaFolder, MediaItem } from '../../data/api-types.ts'
import { useGet } from '../../data/get.ts'
import { type ListSearch, useRows } from '../../data/list.ts'
import type { ListOf } from '../../data/loaded-rows.ts'
import { formatSize, iconOf, isInProgress, useImageUrl } from '../../data/media.ts'
import type { Resource } from '../../data/resources.ts'
import type { ResourceScreenProps } from '../../data/screens.ts'
import { usePermissions } from '../../data/session.ts'
import { useUploads } from '../../data/uploads.ts'
import { fill, formatNumber, wordOf } from '../../locales/index.ts'
import { UploadList } from '../../parts/UploadList.tsx'
import { useFilterChange } from '../../resource/filters.ts'
import { crumbsOf, recordUrl, useRefresh } from '../../resource/generic.ts'
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
  const search = useSearch({ strict: false })
  const refresh = useRefresh(resource)
  const { may } = usePermissions()
  const mayUpload = may('media.item.create')
  const { [FOLDER_FILTER]: folder = '', ...filters } = search.filters ?? {}
  const isNarrowed = Boolean(search.q) || Object.keys(filters).length > 0
  const folders = useGet<ListOf<MediaFolder>>('/v1/media/folders', {
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
  const list = useRows<MediaItem>(resource, { ...search, filters: { ...filters, ...place } }, NO_SCOPE, true)
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
    <FileTrigger allowsMultiple onSelect={files => add(files ?? [])}>
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
  readonly item: MediaItem
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
      <Link className="media-tile panel" to={href}>
        <span className="media-thumb">{url ? <img src={url} alt="" /> : <Icon name={iconOf(item)} size={32} />}</span>
        <span className="media-name">{item.fileName}</span>
        <span className="row media-facts">
          <span className="muted">{formatSize(item.size)}</span>
          {item.status !== 'ready' && <StateBadge states={resource.states.status} value={item.status} />}
        </span>
      </Link>
    </li>
  )
}
