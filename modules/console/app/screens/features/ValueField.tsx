import { SelectField, TextField } from '../../public.ts'

interface Props {
  readonly label: string
  /** The type of the flag. */
  readonly type: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A value of a flag, as text. */
export const ValueField = ({ type, ...field }: Props) =>
  type === 'boolean' ? (
    <SelectField
      {...field}
      options={[
        ['true', 'true'],
        ['false', 'false'],
      ]}
    />
  ) : (
    <TextField {...field} />
  )
