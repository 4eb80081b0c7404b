/** Chooses an image for a page: search, upload in place, alternative text. Publishes it if it is private. */
import { useEffect, useState } from 'react'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { Dialog } from '../components/Dialog.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { FileTrigger } from '../components/FileTrigger.tsx'
import { Icon } from '../components/Icon.tsx'
import { TextField } from '../components/LabeledField.tsx'
import { ListContent } from '../components/ListContent.tsx'
import { LoadMore } from '../components/LoadMore.tsx'
import { TypedInput } from '../components/TypedInput.tsx'
import { useAction } from '../data/action.ts'
import { api } from '../data/api.ts'
import type { MediaItem } from '../data/api-types.ts'
import { useRows } from '../data/list.ts'
import { largestVariant, publicPath, useImageUrl } from '../data/media.ts'
import type { Resource } from '../data/resources.ts'
import { usePermissions } from '../data/session.ts'
import { useUploads } from '../data/uploads.ts'
import { useTexts } from '../locales/index.ts'
import { useRefresh } from '../resource/generic.ts'
import { useImageTexts } from './image-texts.ts'
import { UploadList } from './UploadList.tsx'
import './images.css'

export interface PickedImage {
  /** Without a host. */
  readonly path: string
  readonly alt: string
}
export interface ImagePickerProps {
  /** `media.items`. */
  readonly resource: Resource
  readonly onPick: (image: PickedImage) => void
  readonly onClose: () => void
}

const IMAGES = { 'filter[mimeType]': 'image/*', 'filter[status]': 'ready' }
const NO_SCOPE = {}
/** While an uploaded image is being checked. */
const REFRESH_MS = 2000

export default function ImagePickerDialog({ resource, onPick, onClose }: ImagePickerProps) {
  const t = useTexts()
  const c = useImageTexts()
  const mayUpload = usePermissions().may('media.item.create')
  const { uploads, add, cancel, clear } = useUploads(useRefresh(resource))
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [alt, setAlt] = useState('')
  const { isBusy, run } = useAction()
  const list = useRows<'/v1/media'>(resource, { q: text, filters: IMAGES }, NO_SCOPE, true)
  const items = list.rows.filter(({ variants }) => variants.length > 0)
  const item = items.find(({ id }) => id === chosen)
  const variant = item && largestVariant(item)
  const publish = resource.actions.find(({ id }) => id === 'publishMediaItem')
  const uploaded = uploads.findLast(({ mediaId }) => mediaId !== undefined)?.mediaId
  useEffect(() => setChosen(uploaded), [uploaded])
  useRefreshWhile(uploaded !== undefined && !items.some(({ id }) => id === uploaded), list.refetch)

  const insert = () =>
    run(async () => {
      if (!item || !variant) return
      if (!item.isPublic && publish) await api.post('/v1/media/{id}/publish', { path: { id: item.id } })
      onPick({ path: publicPath(item, variant), alt: alt.trim() })
    })
  const canInsert = item !== undefined && (item.isPublic || publish !== undefined)
  return (
    <Dialog
      title={c.insertImage}
      isOpen
      onClose={onClose}
      size="large"
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind="primary" isDisabled={!canInsert || isBusy} onPress={insert}>
            {c.insert}
          </Button>
        </>
      }
    >
      <div className="toolbar">
        <TypedInput value={text} label={c.search} onChange={setText} />
        {mayUpload && (
          <FileTrigger allowsMultiple acceptedFileTypes={['image/*']} onSelect={add}>
            <Button icon="upload">{c.upload}</Button>
          </FileTrigger>
        )}
      </div>
      <UploadList uploads={uploads} onCancel={cancel} onClear={clear} />
      <div className="picker-grid-area">
        <ListContent
          list={list}
          isEmpty={items.length === 0}
          empty={
            text === '' ? (
              <EmptyState icon="image" title={c.noImages} {...(mayUpload && { text: c.noImagesText })} />
            ) : (
              <EmptyState icon="search" title={c.noMatch} />
            )
          }
        >
          <fieldset className="picker-grid">
            <legend className="visually-hidden">{c.images}</legend>
            {items.map(each => (
              <Choice key={each.id} item={each} isChosen={each.id === chosen} onChoose={() => setChosen(each.id)} />
            ))}
          </fieldset>
          <LoadMore list={list} />
        </ListContent>
      </div>
      <TextField label={c.altText} hint={c.altHint} value={alt} onChange={setAlt} />
      <p className="hint" role="status">
        {item && !item.isPublic && (publish ? c.becomesPublic : c.mayNotPublish)}
      </p>
    </Dialog>
  )
}

interface ChoiceProps {
  readonly item: MediaItem
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Choice({ item, isChosen, onChoose }: ChoiceProps) {
  const c = useImageTexts()
  const url = useImageUrl(item, 'thumbnail', true)
  return (
    <label className="media-tile panel">
      <input
        type="radio"
        name="image"
        className="visually-hidden"
        aria-label={item.fileName}
        checked={isChosen}
        onChange={onChoose}
      />
      <span className="media-thumb">{url ? <img src={url} alt="" /> : <Icon name="image" size={32} />}</span>
      <span className="media-name" title={item.fileName}>
        {item.fileName}
      </span>
      {item.isPublic && <Badge text="published" label={c.isPublic} />}
    </label>
  )
}

function useRefreshWhile(isWaiting: boolean, refetch: () => unknown): void {
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(refetch, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isWaiting, refetch])
}
