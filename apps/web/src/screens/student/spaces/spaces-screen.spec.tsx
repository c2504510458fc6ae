import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './spaces-screen';

const joined = newSpace({ name: 'Greenfield High' });
const unjoined = newSpace({ name: 'French', joined: false });

function openSpaces(answers: Answers = {}) {
  const api = fakeApi({
    getSpaces: () => [joined, unjoined],
    joinSpace: () => ({ ...unjoined, joined: true }),
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp('/space', { user: newAuthUser() }) };
}

describe('spaces', () => {
  it('lists joined and other spaces, without the menu of a space', async () => {
    openSpaces();
    const mine = within(await screen.findByRole('region', { name: 'My Spaces' }));
    expect(mine.getByRole('button', { name: /Greenfield High.*Joined/ })).toBeVisible();
    expect(mine.queryByRole('button', { name: /French/ })).not.toBeInTheDocument();
    const all = within(screen.getByRole('region', { name: 'All Spaces' }));
    expect(all.queryByRole('button', { name: /Greenfield High/ })).not.toBeInTheDocument();
    expect(all.getByRole('button', { name: /French.*Join Space/ })).toBeVisible();
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  });

  it('shows outlines until the spaces have loaded', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const { container } = openSpaces({ getSpaces: () => answered.then(() => [unjoined]) });
    // Skeletons are hidden from screen readers: LoadingStatus announces loading for all of them.
    const skeletons = () => container.querySelectorAll('main .mantine-Skeleton-root').length;
    await screen.findByRole('heading', { level: 1 });
    await waitFor(() => expect(skeletons()).toBeGreaterThan(0));
    expect(screen.queryByRole('region', { name: 'All Spaces' })).not.toBeInTheDocument();
    answer();
    expect(await screen.findByRole('region', { name: 'All Spaces' })).toBeVisible();
    await waitFor(() => expect(skeletons()).toBe(0));
  });

  it('has no heading for other spaces if all are joined', async () => {
    openSpaces({ getSpaces: () => [joined] });
    await screen.findByRole('region', { name: 'My Spaces' });
    expect(screen.queryByRole('heading', { name: 'All Spaces' })).not.toBeInTheDocument();
  });

  it('has no heading for my spaces before one is joined', async () => {
    openSpaces({ getSpaces: () => [unjoined] });
    await screen.findByRole('region', { name: 'All Spaces' });
    expect(screen.queryByRole('heading', { name: 'My Spaces' })).not.toBeInTheDocument();
  });

  it('enters a joined space and stores it as the current one', async () => {
    const { user, address } = openSpaces();
    const mine = within(await screen.findByRole('region', { name: 'My Spaces' }));
    await user.click(mine.getByRole('button', { name: /Greenfield High/ }));
    await waitFor(() => expect(address()).toBe('/dashboard'));
    expect(JSON.parse(localStorage.getItem('currentSpace') ?? '')).toEqual({
      _id: joined._id,
      name: joined.name,
    });
  });

  it('asks for confirmation before joining, and does nothing on Cancel', async () => {
    const { api, user } = openSpaces();
    await user.click(await screen.findByRole('button', { name: /French/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Awesome!' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.calls('JoinSpace')).toHaveLength(0);
  });

  it('joins and enters a space, and opens its questions', async () => {
    const { api, user, address } = openSpaces();
    await user.click(await screen.findByRole('button', { name: /French/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Awesome!' }));
    await user.click(dialog.getByRole('button', { name: 'Join Space' }));
    await waitFor(() => expect(address()).toBe('/dashboard'));
    expect(api.calls('JoinSpace')[0]?.variables).toEqual({ spaceId: unjoined._id });
    expect(localStorage.getItem('currentSpace')).toContain(unjoined._id);
  });

  it('asks to join the space of a linked question, and returns to the question', async () => {
    const api = fakeApi({
      getSpaces: () => [joined, unjoined],
      joinSpace: () => ({ ...unjoined, joined: true }),
    });
    const state = { joins: unjoined._id, backTo: '/singleQuestion/q/home' };
    const { address } = renderApp({ pathname: '/space', state }, { user: newAuthUser() });
    const dialog = within(await screen.findByRole('dialog', { name: 'Awesome!' }));
    expect(dialog.getByText('You are about to join French.')).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Join Space' }));
    await waitFor(() => expect(address()).toBe('/singleQuestion/q/home'));
    expect(api.calls('JoinSpace')[0]?.variables).toEqual({ spaceId: unjoined._id });
  });

  it('does not ask again once it was closed', async () => {
    const user = userEvent.setup();
    fakeApi({ getSpaces: () => [joined, unjoined] });
    const state = { joins: unjoined._id, backTo: '/singleQuestion/q/home' };
    const { address } = renderApp({ pathname: '/space', state }, { user: newAuthUser() });
    const dialog = within(await screen.findByRole('dialog', { name: 'Awesome!' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(address()).toBe('/space');
  });

  it('stays and shows why joining failed', async () => {
    const { user, address } = openSpaces({
      joinSpace: () => {
        throw apiError('That space is closed.', 'FORBIDDEN');
      },
    });
    await user.click(await screen.findByRole('button', { name: /French/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Awesome!' }));
    await user.click(dialog.getByRole('button', { name: 'Join Space' }));
    expect(await screen.findByText('That space is closed.')).toBeVisible();
    expect(address()).toBe('/space');
  });

  it('offers a retry when the spaces fail to load', async () => {
    let isDown = true;
    const { user } = openSpaces({
      getSpaces: () => {
        if (isDown) throw apiError('The database is away.', 'UNAVAILABLE');
        return [joined];
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('The database is away.');
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('region', { name: 'My Spaces' })).toBeVisible();
  });

  it('shows an empty state', async () => {
    openSpaces({ getSpaces: () => [] });
    expect(await screen.findByRole('heading', { name: 'No spaces yet' })).toBeVisible();
  });
});
