/*
 * What `nc -U -w SECONDS SOCKET` does and the shell launcher needs of it: standard input to the socket, what the socket
 * says to standard output, until the other side closes. For machines without nc: the bench says so where it is used.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int pass_on(int from, int to) {
  static char bytes[65536];
  ssize_t count = read(from, bytes, sizeof bytes);
  for (ssize_t done = 0; done < count;) {
    ssize_t written = write(to, bytes + done, (size_t)(count - done));
    if (written <= 0) return -1;
    done += written;
  }
  return count > 0 ? 1 : 0;
}

int main(int count, char **words) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int seconds = -1;
  for (int i = 1; i + 1 < count; i++)
    if (strcmp(words[i], "-w") == 0) seconds = atoi(words[i + 1]);
  if (count < 2 || strlen(words[count - 1]) >= sizeof address.sun_path) return 1;
  strcpy(address.sun_path, words[count - 1]);
  int peer = socket(AF_UNIX, SOCK_STREAM, 0);
  if (peer < 0 || connect(peer, (struct sockaddr *)&address, sizeof address) != 0) return 1;
  struct pollfd sides[2] = {{.fd = 0, .events = POLLIN}, {.fd = peer, .events = POLLIN}};
  for (;;) {
    int ready = poll(sides, 2, seconds < 0 ? -1 : seconds * 1000);
    if (ready <= 0) return ready == 0 ? 0 : 1;
    if (sides[1].revents != 0 && pass_on(peer, 1) <= 0) return 0;
    if (sides[0].revents != 0 && pass_on(0, peer) <= 0) sides[0].fd = -1;
  }
}
