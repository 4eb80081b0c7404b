import { type FieldMessages, sortMessages } from '../data/field-messages.ts'
import { fieldErrors, isAboutFields, messageOf, sentenceOf } from '../data/problem.ts'
import { useTexts } from '../locales/index.ts'
import { MessageText } from './MessageText.tsx'

interface Props {
  /** Nothing is shown without one. */
  readonly error: unknown
  /** Pointers of the fields that show their own messages. */
  readonly fields?: readonly string[]
}

/** Why a change was refused. */
export const Failure = ({ error, fields = [] }: Props) =>
  error === undefined ? null : (
    <div className="notice danger" role="alert">
      <FailureText error={error} errors={fieldErrors(error)} fields={fields} />
    </div>
  )

interface TextProps extends Required<Props> {
  /** By the pointers of their fields. */
  readonly errors: FieldMessages
}

/** How many fields to correct, and what concerns no field of the form. */
export function FailureText({ error, errors, fields }: TextProps) {
  const t = useTexts()
  const { own, others } = sortMessages(errors, fields)
  return (
    <>
      {!(errors.size > 0 && (error === undefined || isAboutFields(error))) && (
        <p>
          <MessageText text={messageOf(error)} />
        </p>
      )}
      {own.size > 0 && <p>{t('formInvalid', { count: own.size })}</p>}
      {others.map(error => (
        <p key={error[0]}>
          <MessageText text={sentenceOf(error)} />
        </p>
      ))}
    </>
  )
}
