import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** The address goes to standard output. The server ends when its standard input does, so it cannot outlive the tests. */
class Server {
  /** The driver refuses servers below wire version 9; of what came with it, the adapter uses nothing. */
  static final MongoVersion VERSION =
      new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
          return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
          return 13;
        }
      };

  public static void main(String[] arguments) throws Exception {
    MongoServer server = new MongoServer(new MemoryBackend().version(VERSION));
    server.bind("127.0.0.1", 0);
    System.out.println("mongodb://127.0.0.1:" + server.getLocalAddress().getPort() + "/");
    while (System.in.read() != -1) {}
    server.shutdownNow();
    System.exit(0);
  }
}
