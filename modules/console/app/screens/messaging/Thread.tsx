/** One support conversation: its state, messages and the answer. */

import { useEffect, useLayoutEffect, useRef } from 'react'
import {
  type Api,
  api,
  Button,
  ErrorState,
  Loading,
  LoadMore,
  useAction,
  useGet,
  useMe,
  usePermissions,
  useReload,
} from '../../public.ts'
import { Composer } from './Composer.tsx'
import { useMessages } from './data.ts'
import { nameOf, type ShownMessage, toShown } from './inbox.ts'
import { isTyping } from './keys.ts'
import { ThreadHeader } from './ThreadHeader.tsx'
import { formatDay, formatTime, useInboxTexts } from './texts.ts'

interface Props {
  readonly id: string
  readonly onBack: () => void
  /** Called after the conversation was resolved or snoozed. */
  readonly onDone: () => void
}

export function Thread({ id, onBack, onDone }: Props) {
  const c = useInboxTexts()
  const { may } = usePermissions()
  const { data: me } = useMe()
  const reload = useReload()
  const { data: conversation, error, refetch } = useGet('/v1/messaging/inbox/{id}', { path: { id } })
  const list = useMessages(id)
  const { isBusy, run } = useAction({ onDone: () => reload('/v1/messaging/inbox') })
  const mayAnswer = may('support.inbox.update')
  const change = async (body: Api.UpdateInboxConversationInput, message: string): Promise<boolean> =>
    (await run(() => api.patch('/v1/messaging/inbox/{id}', { path: { id }, body }), message)) !== undefined
  const resolve = async () => {
    if (await change({ status: 'resolved' }, c.resolvedDone)) onDone()
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'e' || isTyping(event) || !mayAnswer || isBusy || conversation?.status !== 'open') return
      event.preventDefault()
      void resolve()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })

  if (error && !conversation)
    return (
      <section className="inbox-thread" aria-label={c.thread}>
        <Button kind="quiet" icon="arrow-left" onPress={onBack}>
          {c.back}
        </Button>
        <ErrorState error={error} onRetry={refetch} />
      </section>
    )
  return (
    <section className="inbox-thread" aria-label={c.thread}>
      {conversation ? (
        <>
          <ThreadHeader
            conversation={conversation}
            userId={me?.user.id}
            mayAnswer={mayAnswer}
            isBusy={isBusy}
            onBack={onBack}
            onChange={change}
            onResolve={resolve}
            onDone={onDone}
          />
          <Messages list={list} conversation={conversation} userId={me?.user.id} />
          {mayAnswer && <Composer conversation={conversation} me={me} onResolved={onDone} />}
        </>
      ) : (
        <Loading />
      )}
    </section>
  )
}

interface MessagesProps {
  readonly list: ReturnType<typeof useMessages>
  readonly conversation: Api.InboxConversationDetails
  readonly userId: string | undefined
}

function Messages({ list, conversation, userId }: MessagesProps) {
  const c = useInboxTexts()
  const scroller = useRef<HTMLElement>(null)
  const newest = list.messages.at(-1)?.seq
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message comes into view, older ones stay where they are
  useLayoutEffect(() => {
    // The content grows upwards: the end is at 0.
    scroller.current?.scrollTo({ top: 0 })
  }, [newest])
  const names = new Map(conversation.people.map(person => [person.userId, nameOf(person)]))
  const senderOf = (senderId: string) => (senderId === userId ? c.you : (names.get(senderId) ?? c.formerMember))
  if (list.isPending) return <Loading />
  if (list.error && list.messages.length === 0) return <ErrorState error={list.error} onRetry={() => list.refetch()} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for the arrow keys
    <section className="inbox-messages" ref={scroller} tabIndex={0} aria-label={c.messages}>
      <div>
        <LoadMore list={list} text={c.older} />
        {toShown(list.messages, conversation.participantIds).map(message => (
          <Bubble key={message.id} message={message} sender={senderOf(message.senderId)} />
        ))}
      </div>
    </section>
  )
}

function Bubble({ message, sender }: { readonly message: ShownMessage; readonly sender: string }) {
  const c = useInboxTexts()
  const { body, attachments, createdAt, editedAt, deletedAt } = message
  return (
    <>
      {message.isFirstOfDay && (
        <p className="inbox-day">
          <time dateTime={createdAt}>{formatDay(createdAt)}</time>
        </p>
      )}
      <article
        className="inbox-bubble"
        data-support={message.isFromSupport || undefined}
        data-continued={message.isContinued || undefined}
      >
        <p className={message.isContinued ? 'visually-hidden' : 'inbox-sender'}>
          <b>{sender}</b> <time dateTime={createdAt}>{formatTime(createdAt)}</time>
          {editedAt && !deletedAt && ` · ${c.edited}`}
        </p>
        <div className="inbox-body" dir="auto">
          {deletedAt ? <em>{c.deleted}</em> : body}
          {attachments.map(({ id, fileName }) => (
            <Attachment key={id} path={{ id: message.conversationId, mediaId: id }} name={fileName} />
          ))}
        </div>
      </article>
    </>
  )
}

interface AttachmentProps {
  readonly path: { readonly id: string; readonly mediaId: string }
  readonly name: string
}

/** The file can belong to another workspace, so its address is asked for. */
function Attachment({ path, name }: AttachmentProps) {
  const { isBusy, run } = useAction()
  const open = async () => {
    const found = await run(() => api.get('/v1/messaging/inbox/{id}/attachments/{mediaId}', { path }))
    if (found) location.assign(found.body.url)
  }
  return (
    <button type="button" className="inbox-attachment" disabled={isBusy} onClick={open}>
      {name}
    </button>
  )
}
