/** For a task that navigates when it is done: returns whether the user is still on the page where the task started. */
export function watchNavigation(): () => boolean {
  const { pathname } = location;
  return () => location.pathname === pathname;
}
