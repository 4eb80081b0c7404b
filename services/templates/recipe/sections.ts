/** The recipe sections of the templates service. */
import { Type } from '@larder-dev/larder/kernel'

const ThemeShape = Type.Object(
  {
    use: Type.String({
      default: 'default',
      minLength: 1,
      description: 'A shipped theme, or the path of a folder: ./theme',
    }),
    tokens: Type.Record(
      Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
      Type.String({
        pattern: '^[^;{}<>\\r\\n]{1,200}$',
        description: 'a CSS value without ; { } < >; put colors in quotes',
        examples: ['#2457ff'],
      }),
      {
        default: {},
        description: 'Colors and sizes that replace those of the theme: lowercase name → CSS value',
        examples: [{ accent: '#2457ff' }],
      },
    ),
    logo: Type.Optional(Type.String({ minLength: 1, description: 'Path of an image' })),
    darkLogo: Type.Optional(
      Type.String({ minLength: 1, description: 'Path of an image that replaces the logo in the dark color scheme' }),
    ),
  },
  { default: {}, description: 'Appearance of pages and emails' },
)

const EmailsShape = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_-]*$' }),
  Type.Object({
    template: Type.String({
      minLength: 1,
      description: 'Path of the template. Translations are files beside it: welcome.hbs, welcome.de.hbs',
      examples: ['./emails/welcome.hbs'],
    }),
  }),
  {
    default: {},
    description: 'Email templates that replace those of the modules or add new ones: module.name → file',
  },
)

export const sections = { theme: ThemeShape, emails: EmailsShape }
