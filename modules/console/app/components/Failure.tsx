import { fieldErrors, messageOf } from '../data/problem.ts'

interface Props {
  /** Nothing is shown without one. */
  readonly error: unknown
  /** Lists the messages of fields, for forms that don't show all of them beside their fields. */
  readonly withFields?: boolean
}

/** Why a change was refused. */
export function Failure({ error, withFields = false }: Props) {
  if (error === undefined) return null
  const fields = withFields ? [...fieldErrors(error)] : []
  return (
    <div className="notice danger" role="alert">
      <p>{messageOf(error)}</p>
      {fields.map(([pointer, text]) => (
        <p key={pointer}>
          <code>{pointer.slice(1)}</code> {text}
        </p>
      ))}
    </div>
  )
}
