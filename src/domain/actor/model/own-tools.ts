import type { OfferedTool } from '../../model/message.ts'

/** Tools that are requests of the actor itself; everything else that a model can call is a tool of the product. */
export const ownTools: Readonly<
  Record<string, Pick<OfferedTool, 'description' | 'inputSchema'> | undefined>
> = {
  give_up: {
    description:
      'Say that the strategy cannot be carried out. The plan goes back to Strategize, or a person decides.',
    inputSchema: {
      type: 'object',
      properties: { constraint: { type: 'string', description: 'What stands in the way' } },
      required: ['constraint'],
      additionalProperties: false,
    },
  },
}
