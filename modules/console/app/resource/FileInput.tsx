/** Uploads a file for a field, and shows it with a thumbnail. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Button } from '../components/Button.tsx'
import { FileTrigger } from '../components/FileTrigger.tsx'
import { Icon } from '../components/Icon.tsx'
import type { SourceInputProps } from '../components/source-inputs.ts'
import type { MediaItem } from '../data/api-types.ts'
import { keys } from '../data/keys.ts'
import { formatSize, iconOf, isInProgress, loadFile, useImageUrl } from '../data/media.ts'
import { isFinished, useUploads } from '../data/uploads.ts'
import { fill } from '../locales/index.ts'
import { useCollectionTexts } from './collection-texts.ts'
import styles from './FileInput.module.css'

/** While a file is being checked. */
const REFRESH_MS = 1000

export default function FileInput({ id, label, field, value, describedBy, onChange }: SourceInputProps) {
  const c = useCollectionTexts()
  const { uploads, add, clear } = useUploads(() => undefined)
  const last = uploads.at(-1)
  const stored = last?.mediaId
  const change = useRef(onChange)
  change.current = onChange
  useEffect(() => {
    if (stored !== undefined) change.current(stored)
  }, [stored])
  return (
    <div className="row file-input">
      {value !== '' && <FileSummary key={String(value)} id={String(value)} />}
      <FileTrigger
        acceptedFileTypes={field.accept ?? []}
        onSelect={files => {
          clear()
          add(files)
        }}
      >
        <Button
          id={id}
          icon="upload"
          aria-label={fill(c.uploadFor, { name: label })}
          isDisabled={last !== undefined && !isFinished(last)}
          {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
        >
          {value === '' ? c.upload : c.replace}
        </Button>
      </FileTrigger>
      {value !== '' && (
        <Button kind="quiet" icon="x" label={fill(c.remove, { name: label })} onPress={() => onChange('')} />
      )}
      <span role="status" className={last?.state === 'failed' || last?.state === 'rejected' ? 'error' : 'muted'}>
        {last && !isFinished(last) && c.uploading}
        {last?.state === 'rejected' && fill(c.quarantined, { reason: last.reason })}
        {last?.state === 'failed' && (last.reason || c.uploadFailed)}
      </span>
    </div>
  )
}

/** Thumbnail, name and size of a file. The name only in a cell. */
export function FileSummary({ id, isCell = false }: { readonly id: string; readonly isCell?: boolean }) {
  const c = useCollectionTexts()
  const { data: item, isPending } = useQuery({
    queryKey: keys.load('/v1/media', id),
    queryFn: async () => (await loadFile(id)) ?? null,
    refetchInterval: ({ state: { data: last } }) => (last && isInProgress(last) ? REFRESH_MS : false),
  })
  if (!item) return <span className="muted">{isPending ? '…' : id}</span>
  return (
    <span className={styles.summary}>
      <Thumbnail item={item} />
      <span>{item.fileName}</span>
      {!isCell && <span className="muted">{formatSize(item.size)}</span>}
      {isInProgress(item) && <span className="muted">{c.checkingFile}</span>}
      {item.rejection && !isCell && (
        <span className="error">{fill(c.quarantined, { reason: item.rejection.detail })}</span>
      )}
    </span>
  )
}

function Thumbnail({ item }: { readonly item: MediaItem }) {
  const url = useImageUrl(item, 'thumbnail', true)
  return url ? <img src={url} alt="" width={32} height={32} /> : <Icon name={iconOf(item)} />
}
