/** The recipe sections of the templates service. */
import { Type } from 'larder/kernel'

const ThemeShape = Type.Object(
  {
    use: Type.String({
      default: 'default',
      minLength: 1,
      description: 'A theme of Larder, or the path of a folder: ./theme',
    }),
    tokens: Type.Record(
      Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
      Type.String({
        pattern: '^[^;{}<>\\r\\n]{1,200}$',
        description: 'a CSS value without ; { } < >; a colour stands in quotes',
        examples: ['#2457ff'],
      }),
      {
        default: {},
        description: 'Colours and sizes that replace those of the theme: name in lower case → CSS value',
        examples: [{ accent: '#2457ff' }],
      },
    ),
    logo: Type.Optional(Type.String({ minLength: 1, description: 'Path of an image' })),
  },
  { default: {}, description: 'How pages and mails look' },
)

const EmailsShape = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_-]*$' }),
  Type.Object({
    template: Type.String({
      minLength: 1,
      description: 'Path of the template; other languages stand beside it: welcome.hbs, welcome.de.hbs',
      examples: ['./emails/welcome.hbs'],
    }),
  }),
  {
    default: {},
    description: 'Mail templates in the place of those of the modules, or beside them: module.name → file',
  },
)

export const sections = { theme: ThemeShape, emails: EmailsShape }
