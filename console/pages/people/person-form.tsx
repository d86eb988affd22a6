// Asks for the name of a person.
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { pathTo } from '../../data/paths.ts';
import { Form, TextField } from '../../parts/field.tsx';

export function PersonForm({ organization, user }: { readonly organization: string; readonly user: string }) {
  const { route } = useLocation();
  const [name, setName] = useState(user);
  return (
    <Form class="filters few" onSubmit={() => route(pathTo(organization, 'people', { user: name }))}>
      <TextField label="Username" value={name} onChange={setName} placeholder="ann@example.com" required />
      <button type="submit">Look up</button>
    </Form>
  );
}
