/** A session: its state, a new join token, and ending it. */

import { useState } from 'react'
import {
  api,
  ConfirmButton,
  crumbsOf,
  ErrorState,
  type Fact,
  Facts,
  factsIn,
  factsWithout,
  hasArea,
  Loading,
  Page,
  type ResourceScreenProps,
  ScreenLink,
  useAction,
  useGet,
  usePermissions,
  useReload,
} from '../../public.ts'
import { EndSession } from './EndSession.tsx'
import { ShownOnce } from './ShownOnce.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { isOver, REFRESH_MS, useStreamTexts } from './texts.ts'
import './streams.css'

/** At a place of their own, or not on this screen. */
const ELSEWHERE = [
  'id',
  'code',
  'stream_profile',
  'audio_enabled',
  'metadata',
  'status',
  'workspace_id',
  'expires_at',
  'ended_at',
  'end_reason',
  'recommended_settings',
]

export default function SessionScreen({ resource, id }: ResourceScreenProps) {
  const c = useStreamTexts()
  const { may } = usePermissions()
  const reload = useReload()
  const path = { id }
  const [secret, setSecret] = useState('')
  const { isBusy, run } = useAction({ onDone: () => reload('/v1/sessions/{id}', path) })
  const {
    data: session,
    error,
    isPending,
    refetch,
  } = useGet('/v1/sessions/{id}', {
    path,
    refreshMs: REFRESH_MS,
  })
  if (error && !session) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const facts: readonly Fact[] = [
    ...factsWithout(resource, session, ELSEWHERE),
    ...factsIn(resource, session, isOver(session.status) ? ['ended_at', 'end_reason'] : ['expires_at']),
  ]
  const rotate = async () => {
    const answer = await run(() => api.post('/v1/sessions/{id}/token/rotate', { path }))
    if (answer) setSecret(answer.body.join_token)
  }
  return (
    <Page
      title={session.code}
      crumbs={crumbsOf(resource)}
      badge={<StatusBadge resource={resource} session={session} />}
      actions={
        <>
          {session.mode === 'stream' && hasArea('streams') && may('streams.stream.read') && (
            <ScreenLink className="button secondary" to={`/streams/streams/${session.id}` as string}>
              {c.openStream}
            </ScreenLink>
          )}
          {!isOver(session.status) && may('sessions.session.end') && (
            <ConfirmButton
              icon="refresh-cw"
              title={c.rotateTitle}
              text={c.rotateText}
              confirm={c.rotate}
              danger
              isBusy={isBusy}
              onConfirm={rotate}
            />
          )}
          <EndSession session={session} onDone={() => reload('/v1/sessions/{id}', path)} />
        </>
      }
    >
      <div className="stream stack">
        {secret !== '' && <ShownOnce secret={secret} />}
        <Facts facts={facts} words={resource} />
      </div>
    </Page>
  )
}
