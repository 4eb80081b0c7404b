/** A stream: state and viewers, layout, sources, tokens, watching and ending. */

import {
  type Api,
  crumbsOf,
  ErrorState,
  type Fact,
  Facts,
  factsIn,
  Icon,
  Loading,
  Page,
  pageAddress,
  type ResourceScreenProps,
  Section,
  StateBadge,
  useGet,
  usePermissions,
  useReload,
  wordOf,
} from '../../public.ts'
import { EndSession } from './EndSession.tsx'
import { Layout } from './Layout.tsx'
import { Share } from './Share.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { Tokens } from './Tokens.tsx'
import { isOver, REFRESH_MS, useStreamTexts } from './texts.ts'
import './streams.css'

/** Where players and encoders reach the media edge. */
const addressesOf = ({ whep_url, hls_url, whip_url, ingest }: Api.StreamMedia): readonly Fact[] => [
  ['WHEP', 'whep_url', whep_url],
  ['HLS', 'hls_url', hls_url],
  ...(whip_url ? [['WHIP', 'whip_url', whip_url] as const] : []),
  ...(ingest?.rtmp_url ? [['RTMP', 'rtmp_url', ingest.rtmp_url] as const] : []),
  ...(ingest?.rtsp_url ? [['RTSP', 'rtsp_url', ingest.rtsp_url] as const] : []),
  ...(ingest?.srt_url ? [['SRT', 'srt_url', ingest.srt_url] as const] : []),
]

export default function StreamScreen({ resource, id }: ResourceScreenProps) {
  const c = useStreamTexts()
  const { may } = usePermissions()
  const reload = useReload()
  const path = { id }
  const {
    data: stream,
    error,
    isPending,
    refetch,
  } = useGet('/v1/streams/{id}', {
    path,
    refreshMs: REFRESH_MS,
  })
  const { data: media } = useGet('/v1/streams/{id}/media', { path })
  if (error && !stream) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const refresh = () => reload('/v1/streams/{id}', path)
  const facts: readonly Fact[] = [
    ...factsIn(resource, stream, ['viewer_count', 'code', 'description', 'customer', 'live_at', 'created_at']),
    ...factsIn(resource, stream, [isOver(stream.status) ? 'ended_at' : 'expires_at']),
    ...(media?.enabled && !isOver(stream.status) ? addressesOf(media) : []),
  ]
  return (
    <Page
      title={stream.title ?? stream.code}
      crumbs={crumbsOf(resource)}
      badge={
        <>
          <StatusBadge resource={resource} session={stream} />
          <StateBadge states={resource.states.visibility} value={stream.visibility} />
        </>
      }
      actions={
        <>
          {!isOver(stream.status) && (
            <a className="button secondary" href={pageAddress(`/watch/${stream.id}`)} target="_blank" rel="noopener">
              <Icon name="external-link" />
              <span>{c.watch}</span>
            </a>
          )}
          {!isOver(stream.status) && may('streams.token.create') && (
            <>
              <Share stream={stream} media={media} onCreated={() => reload('/v1/streams/{id}/tokens', path)} />
              <a
                className="button primary"
                href={pageAddress(`/broadcast/${stream.id}`)}
                target="_blank"
                rel="noopener"
              >
                <Icon name="radio" />
                <span>{c.goLive}</span>
              </a>
            </>
          )}
          <EndSession session={stream} onDone={refresh} />
        </>
      }
    >
      <div className="stream stack">
        <Facts facts={facts} />
        {!isOver(stream.status) && may('streams.stream.update') && stream.sources.length > 0 && (
          <Layout key={stream.layout.version} resource={resource} stream={stream} onDone={refresh} />
        )}
        <Section title={c.sources}>
          {stream.sources.length === 0 ? (
            <p className="muted">{c.noSources}</p>
          ) : (
            <ul className="entries panel">
              {stream.sources.map(({ source_id: id, kind, label, width, height, fps }) => (
                <li key={id}>
                  <Icon name="video" />
                  <div>
                    <p>{label ?? id}</p>
                    <p className="muted">
                      {[
                        wordOf(kind, resource.states.kind),
                        width && height && `${width} × ${height}`,
                        fps && `${fps} fps`,
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </Section>
        {may('streams.token.read') && <Tokens stream={stream} />}
      </div>
    </Page>
  )
}
