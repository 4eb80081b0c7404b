/** One file: preview, variants, why it is in quarantine, its address. */

import { type FormEvent, useState } from 'react'
import {
  type Api,
  api,
  Badge,
  Button,
  crumbsOf,
  downloadUrl,
  EmptyState,
  ErrorState,
  Facts,
  factsIn,
  fill,
  formatDate,
  formatSize,
  iconOf,
  Loading,
  labelIn,
  Page,
  publicPath,
  RecordCommands,
  type Resource,
  type ResourceScreenProps,
  resourcePath,
  Section,
  StateBadge,
  TextField,
  toast,
  useAction,
  useImageUrl,
  useNavigate,
  useRecord,
  useRecordCommands,
  useRefresh,
  wordOf,
} from '../../public.ts'
import { type MediaTexts, useMediaTexts } from './texts.ts'
import { Usage, useUsage } from './Usage.tsx'
import './media.css'

export default function MediaFile({ resource, id }: ResourceScreenProps) {
  const c = useMediaTexts()
  const navigate = useNavigate()
  const allCommands = useRecordCommands(resource)
  const usage = useUsage(id)
  const { isBusy, run } = useAction()
  const { data, error, isPending, refetch } = useRecord<'/v1/media/{id}'>(resource, id)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const item = data.body
  const { width, height, status, rejection, hold } = item
  const isReady = status === 'ready'
  const canBePublic = isReady && item.variants.length > 0
  const commands = allCommands
    .filter(({ operation }) => operation.id !== 'publishMediaItem' || (canBePublic && !item.isPublic))
    .filter(({ operation }) => operation.id !== 'unpublishMediaItem' || item.isPublic)
    .map(each => (each.isDelete && usage?.data.length ? { ...each, confirm: deletionText(c, usage) } : each))
  const download = (variant?: string) => run(async () => location.assign((await downloadUrl(id, variant)).url))
  const copyLink = (variant?: string) =>
    run(async () => {
      const { url, expiresAt } = await downloadUrl(id, variant)
      await navigator.clipboard.writeText(url)
      toast(fill(c.copied, { time: formatDate(expiresAt) }))
    })
  const copyPublic = (variant: Api.MediaVariant) =>
    run(() => navigator.clipboard.writeText(location.origin + publicPath(item, variant)), c.publicCopied)
  const copyId = () => run(() => navigator.clipboard.writeText(id), c.idCopied)
  return (
    <Page
      title={item.fileName}
      crumbs={crumbsOf(resource)}
      badge={
        <>
          <StateBadge states={resource.states.status} value={status} />
          {item.isPublic && <Badge text="published" label={c.isPublic} />}
        </>
      }
      actions={
        <>
          <RecordCommands
            resource={resource}
            record={data.body}
            label={item.fileName}
            commands={commands}
            onDeleted={() => navigate({ to: resourcePath(resource) })}
          />
          <Button icon="copy" onPress={copyId}>
            {c.copyId}
          </Button>
          {isReady && (
            <>
              <Button icon="link" isDisabled={isBusy} onPress={() => copyLink()}>
                {c.copyLink}
              </Button>
              <Button kind="primary" icon="download" isDisabled={isBusy} onPress={() => download()}>
                {c.download}
              </Button>
            </>
          )}
        </>
      }
    >
      {rejection && (
        <p className="notice danger" role="status">
          {rejection.detail} {c.quarantineText}
        </p>
      )}
      {hold && (
        <p className="notice warning" role="status">
          {wordOf(hold.reason, resource.states.reason)}
        </p>
      )}
      <div className="media-columns">
        <Preview item={item} />
        <Section title={c.details}>
          <Facts
            facts={[
              ...factsIn(resource, item, ['mimeType']),
              [labelIn(resource, 'size'), 'size', formatSize(item.size)],
              [c.dimensions, 'width', width && height ? fill(c.pixels, { width, height }) : null],
              ...(item.animated ? [[c.animation, 'animated', c.firstFrame] as const] : []),
              [c.uploadedAt, 'createdAt', item.createdAt],
              [c.uploadedBy, 'createdBy', item.createdBy],
              ...factsIn(resource, item, ['sha256']),
            ]}
          />
          {resource.operations.update && (
            <>
              <Change
                key={item.fileName}
                resource={resource}
                item={item}
                property={'fileName'}
                isRequired={true}
                label={labelIn(resource, 'fileName')}
                action={c.rename}
                done={c.renamed}
              />
              <Change
                key={`folder ${item.folder}`}
                resource={resource}
                item={item}
                property={'folder'}
                isRequired={false}
                label={labelIn(resource, 'folder')}
                hint={c.moveHint}
                action={c.move}
                done={c.moved}
              />
            </>
          )}
          {item.variants.length > 0 && (
            <>
              <h2>{c.variants}</h2>
              <ul className="variants">
                {item.variants.map(variant => (
                  <li className="row" key={variant.name}>
                    <span>
                      <strong>{variant.name}</strong>{' '}
                      <span className="muted">
                        {variant.width} × {variant.height} · {formatSize(variant.size)}
                      </span>
                    </span>
                    {isReady && (
                      <span>
                        {item.isPublic && (
                          <Button
                            kind="quiet"
                            icon="globe"
                            label={`${c.copyPublic}: ${variant.name}`}
                            onPress={() => copyPublic(variant)}
                          />
                        )}
                        <Button
                          kind="quiet"
                          icon="link"
                          label={`${c.copyLink}: ${variant.name}`}
                          onPress={() => copyLink(variant.name)}
                        />
                        <Button
                          kind="quiet"
                          icon="download"
                          label={`${c.download}: ${variant.name}`}
                          onPress={() => download(variant.name)}
                        />
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
          {canBePublic && usage && <Usage usage={usage} />}
        </Section>
      </div>
    </Page>
  )
}

const deletionText = (c: MediaTexts, { data }: Api.PageSummaryList): string =>
  fill(c.deleteUsed, { count: data.length, pages: data.map(({ title }) => title).join(', ') })

function Preview({ item }: { readonly item: Api.MediaItem }) {
  const c = useMediaTexts()
  const url = useImageUrl(item, 'preview', true)
  return (
    <div className="media-preview">
      {url ? (
        <img src={url} alt={fill(c.preview, { name: item.fileName })} />
      ) : (
        <EmptyState icon={iconOf(item)} title={c.noPreview} />
      )}
    </div>
  )
}

interface ChangeProps {
  readonly resource: Resource
  readonly item: Api.MediaItem
  readonly property: 'fileName' | 'folder'
  readonly isRequired: boolean
  readonly label: string
  readonly hint?: string
  readonly action: string
  readonly done: string
}

/** Renames or moves the file. */
function Change({ resource, item, property, isRequired, label, hint, action, done }: ChangeProps) {
  const [text, setText] = useState(item[property])
  const { isBusy, run } = useAction({ onDone: useRefresh(resource) })
  const { update } = resource.operations
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (update)
      run(() => api.patch('/v1/media/{id}', { path: { id: item.id }, body: { [property]: text.trim() } }), done)
  }
  return (
    <form className="rename" onSubmit={submit}>
      <TextField label={label} hint={hint} required={isRequired} maxLength={255} value={text} onChange={setText} />
      <Button type="submit" isDisabled={isBusy || (isRequired && text.trim() === '') || text.trim() === item[property]}>
        {action}
      </Button>
    </form>
  )
}
