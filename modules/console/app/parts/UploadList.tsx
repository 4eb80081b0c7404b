import { Button } from '../components/Button.tsx'
import { Icon } from '../components/Icon.tsx'
import { isFinished, type Upload } from '../data/uploads.ts'
import { fill } from '../locales/index.ts'
import { type ImageTexts, useImageTexts } from './image-texts.ts'
import './images.css'

interface Props {
  readonly uploads: readonly Upload[]
  readonly onCancel: (id: number) => void
  readonly onClear: () => void
}

export function UploadList({ uploads, onCancel, onClear }: Props) {
  const c = useImageTexts()
  if (uploads.length === 0) return null
  return (
    <section className="uploads panel" aria-label={c.uploads}>
      <ul aria-live="polite">
        {uploads.map(upload => (
          <li className="row" key={upload.id}>
            <Icon name={upload.state === 'done' ? 'circle-check' : isFinished(upload) ? 'circle-alert' : 'upload'} />
            <span className="upload-name">{upload.name}</span>
            <span className={`upload-state${isFinished(upload) && upload.state !== 'done' ? ' error' : ' muted'}`}>
              {stateText(upload, c)}
            </span>
            {!isFinished(upload) && (
              <>
                <progress value={upload.progress} max={1} aria-label={upload.name} />
                <Button
                  kind="quiet"
                  icon="x"
                  label={fill(c.cancel, { name: upload.name })}
                  onPress={() => onCancel(upload.id)}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      {uploads.some(isFinished) && (
        <Button kind="quiet" onPress={onClear}>
          {c.clearUploads}
        </Button>
      )}
    </section>
  )
}

function stateText({ state, progress, reason }: Upload, c: ImageTexts): string {
  switch (state) {
    case 'checking':
      return c.checking
    case 'done':
      return c.done
    case 'rejected':
      return fill(c.quarantined, { reason })
    case 'failed':
      return reason || c.uploadFailed
    default:
      return fill(c.uploading, { percent: Math.round(progress * 100) })
  }
}
