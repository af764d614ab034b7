import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/** The adapter: commands come in as lines, reports go out. What it drives is below: `Work`. */
public final class Client {
    static final Map<String, Object> HELLO = Map.of(
        "name", "java-minimal", "version", "1.0", "protocol", 1, "capabilities", List.of(
            "upload.data", "upload.file", "download.memory", "download.file", "pause", "resume",
            "cancel", "inside", "metadata", "delete", "url", "tokens", "limits", "chunk-size",
            "checksums", "session-restart", "local-faults", "no-resend"));
    static final PrintStream OUTPUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    /** What was asked with `ask`, by its id. */
    static final Map<Long, CompletableFuture<Map<String, Object>>> QUESTIONS =
        new ConcurrentHashMap<>();
    static long lastQuestion = 0;
    static final Map<String, String> NOTHING = Map.of();
    static volatile Scenario scenario;

    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = input.readLine()) != null;) {
            var message = Json.object(Json.read(line));
            if (!message.containsKey("do")) {
                QUESTIONS.remove(message.get("answer")).complete(message);
            } else if (message.get("on") != null) {
                scenario.armed.add(new Armed(message));
            } else {
                carryOut(message);
            }
        }
        System.exit(0);
    }

    static void say(Map<String, Object> message) {
        synchronized (OUTPUT) {
            OUTPUT.println(Json.write(message));
            OUTPUT.flush();
        }
    }

    /** Carries out a command and answers it; what takes time goes on in a thread of its own. */
    static void carryOut(Map<String, Object> command) {
        var answer = fields("answer", command.get("id"));
        var task = scenario == null ? null : scenario.tasks.get(command.getOrDefault("task", ""));
        Runnable next = () -> { };
        switch (text(command, "do")) {
            case "hello" -> answer.put("hello", HELLO);
            case "sync" -> {
                inBackground(() -> {
                    if (scenario != null) scenario.settle();
                    say(answer);
                });
                return;
            }
            case "configure" -> scenario = new Scenario(command);
            case "end" -> scenario.end();
            case "upload" -> next = scenario.add(new Upload(scenario, command));
            case "download" -> next = scenario.add(new Download(scenario, command));
            case "pause" -> task.wish(Wish.PAUSE);
            case "resume" -> task.wish(Wish.RUN);
            case "cancel" -> task.wish(Wish.CANCEL);
            case "token" -> scenario.forgetToken(command.get("signedIn"));
            case "get-metadata", "update-metadata", "delete", "url", "fetch" -> {
                inBackground(new Operation(scenario, command));
                return;
            }
            default -> answer.put("unsupported", "not in this client");
        }
        say(answer);
        next.run();
    }

    static void inBackground(Runnable work) {
        var thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    /** A command that is carried out inside a callback. */
    static final class Armed {
        private final Map<String, Object> command;
        private final Map<String, Object> moment;
        private int left;

        Armed(Map<String, Object> command) {
            this.command = command;
            moment = Json.object(command.get("on"));
            left = number(moment, "ordinal", 1).intValue();
        }

        synchronized void hear(String task, String event, long completed) {
            if (task.equals(moment.get("task")) && event.equals(moment.get("event"))
                && completed >= number(moment, "atLeast", 0).longValue() && --left == 0) {
                carryOut(command);
            }
        }
    }

    /** What belongs to one `configure`, up to its `end`. */
    static final class Scenario {
        final Map<String, Object> settings;
        final String objects;
        final double timeScale;
        final Map<String, Transfer> tasks = new ConcurrentHashMap<>();
        final List<Armed> armed = new CopyOnWriteArrayList<>();
        private boolean isOver = false;
        private boolean isSignedIn;
        private String token;

        Scenario(Map<String, Object> settings) {
            this.settings = settings;
            timeScale = number(settings, "timeScale", 1).doubleValue();
            isSignedIn = Boolean.TRUE.equals(settings.get("signedIn"));
            objects = "http://%s:%s/v0/b/%s/o".formatted(
                settings.get("host"), settings.get("port"), settings.get("bucket"));
        }

        Runnable add(Transfer transfer) {
            tasks.put(text(transfer.command, "task"), transfer);
            return () -> inBackground(transfer);
        }

        void end() {
            synchronized (OUTPUT) {
                isOver = true;
            }
        }

        /** Waits until no task has anything to report; half a second at most. */
        void settle() {
            long end = System.nanoTime() + 500_000_000;
            while (System.nanoTime() < end && !tasks.values().stream().allMatch(Work::isQuiet)) {
                LockSupport.parkNanos(200_000);
            }
        }

        /** Says something of this scenario, as long as it lasts. */
        void report(Map<String, Object> message) {
            synchronized (OUTPUT) {
                if (!isOver) say(message);
            }
        }

        synchronized void forgetToken(Object isSignedIn) {
            token = null;
            this.isSignedIn = Boolean.TRUE.equals(isSignedIn);
        }

        /**
         * The token in hand; a new one where there is none, or where this one was refused. Who is
         * stopped meanwhile does not wait for it.
         */
        synchronized String token(String refused, Work asker) throws Failure, Stopped {
            if (!isSignedIn || (token != null && !token.equals(refused))) return token;
            long id = ++lastQuestion;
            var question = new CompletableFuture<Map<String, Object>>();
            QUESTIONS.put(id, question);
            report(fields("ask", "token", "id", id, "refresh", refused != null));
            while (!question.isDone()) {
                if (asker.wish != Wish.RUN) throw new Stopped();
                LockSupport.parkNanos(1_000_000);
            }
            var answer = question.join();
            token = text(answer, "token");
            if (answer.get("error") != null) {
                throw new Failure("unauthenticated", text(answer, "error"));
            }
            return token;
        }
    }

    // ---- The client ----

    enum Wish { RUN, PAUSE, CANCEL }

    /** What the caller is told in the end; `details` is the error of the protocol. */
    static final class Failure extends Exception {
        private static final long serialVersionUID = 1;
        private static final Map<Integer, String> CODES = Map.of(401, "unauthenticated",
            402, "quotaExceeded", 403, "unauthorized", 404, "objectNotFound");
        final transient Map<String, Object> details;

        Failure(String code, Object message) {
            details = fields("code", code, "name", code, "message", message.toString());
        }

        Failure(String code, Answer answer) throws IOException {
            this(code, "the server answered " + answer.status);
            details.putAll(fields("status", answer.status, "body", answer.text()));
        }

        Failure(Answer answer) throws IOException {
            this(CODES.getOrDefault(answer.status, "unknown"), answer);
        }
    }

    /** The caller wants the work to stop: nothing failed. */
    static final class Stopped extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** An answer that says "not now". */
    static final class Passing extends Exception {
        private static final long serialVersionUID = 1;
        final transient Failure failure;
        final double seconds;

        Passing(Answer answer) throws IOException {
            failure = new Failure("retryLimitExceeded", answer);
            var text = answer.headers.getOrDefault("retry-after", "");
            seconds = text.matches("\\d+") ? Double.parseDouble(text) : 0;
        }
    }

    /** An answer: its head is there, its body is read piece by piece. */
    static final class Answer {
        final int status;
        final Map<String, String> headers = new HashMap<>();
        /** Bytes that the head declares; null: until the end of the connection, or in chunks. */
        final Long length;
        private final DataInputStream input;
        private final boolean isChunked;
        private long left;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Answer(DataInputStream input) throws IOException {
            this.input = input;
            var words = line().split(" ", 3);
            if (words.length < 2 || !words[0].startsWith("HTTP/1.")) {
                throw new ProtocolException("no answer: " + words[0]);
            }
            status = (int) number(words[1], 10);
            for (String line; !(line = line()).isEmpty();) {
                var parts = line.split(":", 2);
                if (parts.length < 2) throw new ProtocolException("no header: " + line);
                headers.merge(
                    parts[0].toLowerCase(), parts[1].trim(), (one, two) -> one + "," + two);
            }
            isChunked = headers.getOrDefault("transfer-encoding", "").contains("chunked");
            var declared = isChunked ? null : headers.get("content-length");
            length = status == 204 || status / 100 == 1 ? Long.valueOf(0)
                : declared == null ? null : Long.valueOf(number(declared, 10));
            left = isChunked ? 0 : length == null ? Long.MAX_VALUE : length;
        }

        static long number(String text, int base) throws ProtocolException {
            try {
                return Long.parseUnsignedLong(text, base);
            } catch (NumberFormatException isNone) {
                throw new ProtocolException("no number: " + text);
            }
        }

        private String line() throws IOException {
            var line = new StringBuilder();
            for (int each; (each = input.readUnsignedByte()) != '\n';) line.append((char) each);
            return line.toString().stripTrailing();
        }

        /** The next bytes of the body, 64 KiB at most; empty at its end. */
        byte[] piece() throws IOException {
            if (isChunked && left == 0) {
                var size = line();
                left = number(size.isEmpty() ? line() : size, 16);
            }
            var piece = new byte[(int) Math.min(left, 65536)];
            int count = piece.length == 0 ? 0 : input.read(piece);
            if (count < 0 && length == null && !isChunked) count = 0;
            if (count < 0) throw new EOFException("the answer was cut");
            left -= count;
            return Arrays.copyOf(piece, count);
        }

        /** The whole body. */
        byte[] bytes() throws IOException {
            for (byte[] piece; (piece = piece()).length > 0;) body.write(piece);
            return body.toByteArray();
        }

        String text() throws IOException {
            return new String(bytes(), StandardCharsets.UTF_8);
        }

        /** The same answer, if it is a good one. */
        Answer checked() throws IOException, Failure, Passing {
            if (status / 100 == 2) return this;
            if (status >= 500 || status == 408 || status == 423 || status == 429) {
                throw new Passing(this);
            }
            throw new Failure(this);
        }

        Map<String, Object> metadata() throws IOException, Failure {
            try {
                return Json.object(Json.read(text()));
            } catch (RuntimeException noMetadata) {
                throw new Failure("unknown", this);
            }
        }
    }

    /** Something that is tried until it is done, refused, or out of time, by one thread. */
    abstract static class Work implements Runnable {
        final Scenario scenario;
        final Map<String, Object> command;
        volatile Wish wish = Wish.RUN;
        /** Bytes that the server has confirmed, or that came from it. */
        volatile long done = 0;
        private volatile Thread worker;
        /** Whether its thread waits: for the server, for a time, for the caller. */
        volatile boolean isAtRest = false;
        private volatile Socket socket;

        Work(Scenario scenario, Map<String, Object> command) {
            this.scenario = scenario;
            this.command = command;
        }

        /** Goes on where the work stands. */
        abstract Map<String, Object> attempt() throws IOException, Failure, Passing, Stopped;

        /** May come from any thread; a request that is under way is broken off at its return. */
        final void wish(Wish wanted) {
            if (wish != Wish.CANCEL) wish = wanted;
            if (wish != Wish.RUN) breakOff();
            LockSupport.unpark(worker);
        }

        /** Whether it waits, and nothing has come that would wake it up. */
        final boolean isQuiet() {
            var connection = socket;
            try {
                return isAtRest && (connection == null || !connection.isConnected()
                    || connection.isClosed() || connection.getInputStream().available() == 0);
            } catch (IOException isClosed) {
                return isAtRest;
            }
        }

        /** Closes the connection by a reset, so that the server knows. */
        private void breakOff() {
            try (var closing = socket) {
                if (closing != null) closing.setSoLinger(true, 0);
            } catch (IOException isClosed) {
                return;
            }
        }

        final long setting(String name, long absent) {
            return number(scenario.settings, name, absent).longValue();
        }

        /** Tries, with growing waits between two tries, until the limit passed without progress. */
        final Map<String, Object> tryOn(String limit) throws Failure, Stopped {
            worker = Thread.currentThread();
            double wait = 0;
            long best = -1;
            long end = 0;
            while (true) {
                Failure last;
                double asked = 0;
                try {
                    if (wish != Wish.RUN) throw new Stopped();
                    return attempt();
                } catch (Passing passing) {
                    last = passing.failure;
                    asked = passing.seconds * scenario.timeScale;
                } catch (IOException broken) {
                    last = new Failure("retryLimitExceeded", broken);
                    last.details.put("transport", transport(broken));
                } finally {
                    breakOff();
                }
                if (done > best) {
                    best = done;
                    wait = scenario.timeScale;
                    end = System.nanoTime() + setting(limit, 120_000) * 1_000_000;
                }
                double left = (end - System.nanoTime()) / 1e9;
                if (left <= 0) throw last;
                sleep(Math.max(asked, Math.min(wait, left)));
                wait *= 2;
            }
        }

        private void sleep(double seconds) throws Stopped {
            long end = System.nanoTime() + (long) (seconds * 1e9);
            for (long left; (left = end - System.nanoTime()) > 0;) {
                if (wish != Wish.RUN) throw new Stopped();
                isAtRest = true;
                LockSupport.parkNanos(left);
                isAtRest = false;
            }
        }

        private static String transport(IOException broken) {
            return broken instanceof ConnectException ? "refused"
                : broken instanceof SocketTimeoutException ? "timed-out"
                : broken instanceof ProtocolException ? "malformed"
                : broken instanceof EOFException ? "cut"
                : String.valueOf(broken.getMessage()).contains("reset") ? "reset" : "closed";
        }

        /** Sends a request; a user's token goes with it, and a new one where it was refused. */
        final Answer exchange(
            String method, String url, Map<String, String> headers, byte[] body
        ) throws IOException, Failure, Stopped {
            var token = scenario.token(null, this);
            var answer = exchange(method, url, headers, body, token);
            if (answer.status != 401 || token == null) return answer;
            return exchange(method, url, headers, body, scenario.token(token, this));
        }

        final Answer exchange(
            String method, String url, Map<String, String> headers, byte[] body, String token
        ) throws IOException, Stopped {
            var address = URI.create(url);
            breakOff();
            var connection = socket = new Socket();
            if (wish != Wish.RUN) throw new Stopped();
            int idle = (int) setting("idleMs", 60_000);
            connection.setSoTimeout(idle);
            connection.connect(new InetSocketAddress(address.getHost(), address.getPort()), idle);
            var head = new StringBuilder(method + " " + address.getRawPath());
            if (address.getRawQuery() != null) head.append("?").append(address.getRawQuery());
            head.append(" HTTP/1.1\r\nHost: ").append(address.getAuthority());
            head.append("\r\nConnection: close\r\n");
            if (!method.equals("GET")) head.append("Content-Length: " + body.length + "\r\n");
            headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
            if (token != null) head.append("Authorization: Firebase " + token + "\r\n");
            IOException broken = null;
            try {
                var output = connection.getOutputStream();
                output.write((head + "\r\n").getBytes(StandardCharsets.UTF_8));
                output.write(body);
            } catch (IOException problem) {
                broken = problem;  // The answer may be there all the same.
            }
            try {
                var input = new DataInputStream(new BufferedInputStream(
                    new FilterInputStream(connection.getInputStream()) {
                        @Override public int read(byte[] into, int at, int most)
                            throws IOException {
                            isAtRest = true;
                            try {
                                return super.read(into, at, most);
                            } finally {
                                isAtRest = false;
                            }
                        }
                    }));
                Answer answer;
                do answer = new Answer(input); while (answer.status / 100 == 1);
                return answer;
            } catch (IOException problem) {
                throw broken == null ? problem : broken;
            }
        }

        final String object(Object path) {
            return scenario.objects + "/" + quoted(path);
        }
    }

    /** A task with events: an upload or a download. */
    abstract static class Transfer extends Work {
        Long total;

        Transfer(Scenario scenario, Map<String, Object> command) {
            super(scenario, command);
        }

        abstract String limit();

        /** Refuses what cannot begin at all, before anything is reported. */
        abstract void prepare() throws Failure;

        /** Leaves nothing behind, here and on the server. */
        abstract void discard();

        final void report(String event, Map<String, Object> more) {
            var name = text(command, "task");
            var message = fields("event", event, "task", name, "completed", done, "total", total);
            message.putAll(more);
            scenario.report(message);
            for (var armed : scenario.armed) armed.hear(name, event, done);
        }

        @Override public final void run() {
            Map<String, Object> end;
            try {
                prepare();
                for (end = null; end == null;) {
                    report("resume", fields());
                    try {
                        end = tryOn(limit());
                    } catch (Stopped stopped) {
                        if (wish != Wish.CANCEL) report("pause", Map.of());
                        isAtRest = true;
                        while (wish == Wish.PAUSE) LockSupport.park();
                        isAtRest = false;
                        if (wish == Wish.CANCEL) throw new Failure("cancelled", "cancelled");
                    }
                }
                report("success", end.containsKey("content") ? Map.of() : end);
            } catch (Failure failure) {
                discard();
                end = fields("error", failure.details);
                report("failure", end);
            }
            end.put("completion", command.get("task"));
            scenario.report(end);
            isAtRest = true;
        }
    }

    static final class Upload extends Transfer {
        private final Path path;
        private String session;
        private boolean isSecondSession = false;
        private long granularity = 1;

        Upload(Scenario scenario, Map<String, Object> command) {
            super(scenario, command);
            path = Path.of(text(command, command.get("file") == null ? "data" : "file"));
        }

        @Override String limit() { return "maxUploadRetryMs"; }

        @Override void prepare() throws Failure {
            if (text(command, "object").isEmpty()) {
                throw new Failure("invalidArgument", "the root cannot be written to");
            }
            if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
                throw new Failure("unknown", "cannot read " + path);
            }
            total = path.toFile().length();
        }

        @Override Map<String, Object> attempt() throws IOException, Failure, Passing, Stopped {
            var command = session == null ? "start" : "query";
            var chunk = new byte[0];
            while (true) {
                var answer = command.equals("start") ? start() : send(command, chunk);
                if (isReplaced(answer)) return attempt();
                answer.checked();
                // The answer to the last request says "final"; if not, its metadata says it.
                var state = answer.headers.getOrDefault("x-goog-upload-status",
                    command.endsWith("finalize") ? "final" : null);
                if (session == null) session = answer.headers.get("x-goog-upload-url");
                if (session == null || state == null) throw new Failure("unknown", answer);
                long before = done;
                done = state.equals("final") ? total : received(answer, command, chunk.length);
                if (done > before) {
                    report("progress", Map.of());
                } else if (command.equals("upload")) {
                    throw new EOFException("the server kept nothing");
                }
                if (state.equals("final")) return verified(answer.metadata());
                if (wish != Wish.RUN) throw new Stopped();
                chunk = chunk();
                command = done + chunk.length < total ? "upload" : "upload, finalize";
            }
        }

        private Answer start() throws IOException, Failure, Stopped {
            var resource = fields("contentType", command.get("file") == null ? null
                : URLConnection.guessContentTypeFromName(path.toString()));
            if (command.get("metadata") != null) {
                resource.putAll(Json.object(command.get("metadata")));
            }
            resource.putIfAbsent("contentType", "application/octet-stream");
            var url = scenario.objects + "?name=" + quoted(command.get("object"));
            var answer = exchange("POST", url,
                Map.of("X-Goog-Upload-Command", "start", "X-Goog-Upload-Protocol", "resumable",
                    "X-Goog-Upload-Header-Content-Length", total.toString(),
                    "Content-Type", "application/json"),
                Json.write(resource).getBytes(StandardCharsets.UTF_8));
            var unit = answer.headers.get("x-goog-upload-chunk-granularity");
            if (unit != null) granularity = Answer.number(unit, 10);
            return answer;
        }

        private Answer send(String command, byte[] chunk) throws IOException, Failure, Stopped {
            return exchange("POST", session, Map.of("X-Goog-Upload-Command", command,
                "X-Goog-Upload-Offset", Long.toString(done)), chunk);
        }

        /** A session that is gone is replaced once; after another refusal it may be active. */
        private boolean isReplaced(Answer answer) throws IOException, Passing {
            int status = answer.status;
            if (session == null || status / 100 != 4) return false;
            if ((status == 404 || status == 410) && !isSecondSession) {
                isSecondSession = true;
                session = null;
                done = 0;
                return true;
            }
            if ("active".equals(answer.headers.get("x-goog-upload-status"))
                && !Set.of(401, 402, 403, 404, 410).contains(status)) {
                throw new Passing(answer);
            }
            return false;
        }

        /** How much the server says it has: never more than was sent. */
        private long received(Answer answer, String command, int sent) throws IOException, Failure {
            var text = answer.headers.get("x-goog-upload-size-received");
            long received = text == null ? done + sent : Answer.number(text, 10);
            long most = command.equals("query") ? total : done + sent;
            if (received > most) throw new Failure("unknown", answer);
            return received;
        }

        /** The next piece of the file, of a size that the server takes. */
        private byte[] chunk() throws Failure {
            long size = setting("chunkSize", Long.MAX_VALUE);
            size = Math.max(size - size % granularity, granularity);
            try (var file = new RandomAccessFile(path.toFile(), "r")) {
                var chunk = new byte[(int) Math.min(size, total - done)];
                file.seek(done);
                file.readFully(chunk);
                return chunk;
            } catch (IOException problem) {
                throw new Failure("unknown", problem);
            }
        }

        /** What is stored must be what was to be sent. */
        private Map<String, Object> verified(Map<String, Object> metadata)
            throws IOException, Failure {
            var sum = new CRC32C();
            sum.update(Files.readAllBytes(path));
            if (!base64(sum).equals(metadata.getOrDefault("crc32c", base64(sum)))) {
                throw new Failure("nonMatchingChecksum", "other bytes are stored");
            }
            return fields("metadata", metadata);
        }

        @Override void discard() {
            if (wish != Wish.CANCEL || session == null) return;
            var cancelled = new Upload(scenario, command);
            cancelled.session = session;
            inBackground(() -> {
                try {
                    cancelled.send("cancel", new byte[0]);
                } catch (Exception isNoMatter) {
                    return;  // An unused session ends by itself, later.
                }
            });
        }
    }

    static final class Download extends Transfer {
        private final Path path;
        private final Path part;
        private final Long most;
        private CRC32C sum;
        private String wantedSum;
        private OutputStream sink;

        Download(Scenario scenario, Map<String, Object> command) {
            super(scenario, command);
            var memory = command.get("memory") == null ? null : Json.object(command.get("memory"));
            path = Path.of(memory == null ? text(command, "file") : text(memory, "into"));
            part = path.resolveSibling(path.getFileName() + ".part");
            most = memory == null ? null : number(memory, "maxSize", 0).longValue();
        }

        @Override String limit() { return "maxDownloadRetryMs"; }

        @Override void prepare() { }

        @Override Map<String, Object> attempt() throws IOException, Failure, Passing, Stopped {
            if (total == null || done < total) receive();
            if (wantedSum != null && !wantedSum.equals(base64(sum))) {
                throw new Failure("nonMatchingChecksum", "the bytes are not those of the object");
            }
            sink.close();
            if (sink instanceof ByteArrayOutputStream memory) {
                Files.write(path, memory.toByteArray());
            } else {
                Files.move(part, path, StandardCopyOption.REPLACE_EXISTING);
            }
            return fields("content", path.toString());
        }

        private void receive() throws IOException, Failure, Passing, Stopped {
            var url = object(command.get("object")) + "?alt=media";
            var range = done > 0 ? Map.of("Range", "bytes=" + done + "-") : NOTHING;
            var answer = exchange("GET", url, range, new byte[0]).checked();
            var told = answer.headers.getOrDefault("content-range", "");
            if (answer.status != 206 || !told.startsWith("bytes " + done + "-")) begin(answer);
            total = answer.length == null ? null : Long.valueOf(done + answer.length);
            check(total == null ? done : total);
            for (byte[] piece; (piece = answer.piece()).length > 0;) {
                check(done + piece.length);
                sink.write(piece);
                sum.update(piece);
                long before = done;
                done += piece.length;
                boolean isBorder = done / 65536 > before / 65536;
                if (isBorder || (total != null && done == total)) report("progress", Map.of());
                if (wish != Wish.RUN) throw new Stopped();
            }
        }

        /** From the first byte, whatever came before. */
        private void begin(Answer answer) throws IOException {
            discard();
            done = 0;
            sum = new CRC32C();
            var hashes = answer.headers.getOrDefault("x-goog-hash", "").split("crc32c=");
            wantedSum = hashes.length < 2 ? null : hashes[1].split(",")[0];
            sink = most == null ? Files.newOutputStream(part) : new ByteArrayOutputStream();
        }

        private void check(long size) throws Failure {
            if (most != null && size > most) {
                throw new Failure("downloadSizeExceeded", "larger than " + most + " bytes");
            }
        }

        @Override void discard() {
            try {
                if (sink != null) sink.close();
                Files.deleteIfExists(part);
            } catch (IOException problem) {
                System.err.println(problem);
            }
        }
    }

    /** What is one request: no task, no events, an answer. */
    static final class Operation extends Work {
        Operation(Scenario scenario, Map<String, Object> command) {
            super(scenario, command);
        }

        @Override public void run() {
            var answer = fields("answer", command.get("id"));
            try {
                answer.putAll(tryOn("maxOperationRetryMs"));
            } catch (Failure failure) {
                answer.put("error", failure.details);
            } catch (Stopped never) {
                answer.put("unsupported", "operations cannot be stopped");
            }
            scenario.report(answer);
        }

        @Override Map<String, Object> attempt() throws IOException, Failure, Passing, Stopped {
            if (text(command, "do").equals("fetch")) return fetch();
            var url = object(command.get("object"));
            return switch (text(command, "do")) {
                case "get-metadata" -> fields("metadata", call("GET", url, "").metadata());
                case "update-metadata" -> fields("metadata",
                    call("PATCH", url, Json.write(command.get("set"))).metadata());
                case "delete" -> {
                    call("DELETE", url, "");
                    yield fields();
                }
                default -> {
                    var tokens = call("GET", url, "").metadata().get("downloadTokens");
                    if (tokens == null) throw new Failure("unknown", "the object has no URL");
                    var token = tokens.toString().split(",")[0];
                    yield fields("url", url + "?alt=media&token=" + token);
                }
            };
        }

        private Answer call(String method, String url, String body)
            throws IOException, Failure, Passing, Stopped {
            return exchange(method, url, Map.of("Content-Type", "application/json"),
                body.getBytes(StandardCharsets.UTF_8)).checked();
        }

        private Map<String, Object> fetch() throws IOException, Stopped {
            var answer = exchange("GET", text(command, "url"), NOTHING, new byte[0], null);
            var path = Path.of(text(command, "into"));
            Files.write(path, answer.bytes());
            var headers = answer.headers.entrySet().stream()
                .map(each -> List.of(each.getKey(), each.getValue())).toList();
            return fields("fetched", fields(
                "status", answer.status, "headers", headers, "body", path.toString()));
        }
    }

    // ---- Small things ----

    /** A map in the order of its names, from `name, value, name, value, ...`. */
    static Map<String, Object> fields(Object... pairs) {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < pairs.length; i += 2) map.put((String) pairs[i], pairs[i + 1]);
        return map;
    }

    static String text(Map<String, Object> map, String name) {
        return (String) map.get(name);
    }

    static Number number(Map<String, Object> map, String name, Number absent) {
        return map.get(name) instanceof Number number ? number : absent;
    }

    static String quoted(Object text) {
        return URLEncoder.encode(text.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A checksum as the service writes it: four bytes, the highest first. */
    static String base64(CRC32C sum) {
        return Base64.getEncoder().encodeToString(
            ByteBuffer.allocate(Integer.BYTES).putInt((int) sum.getValue()).array());
    }
}

/** JSON: maps, lists, texts, numbers, flags and null. Of what is no JSON it says so. */
final class Json {
    private final String text;
    private int place = 0;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        var reader = new Json(text);
        var value = reader.value();
        if (reader.next() != 0) throw reader.mistake();
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    static String write(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                .map(each -> write(each.getKey()) + ":" + write(each.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
        }
        if (!(value instanceof String string)) return String.valueOf(value);
        var quoted = new StringBuilder("\"");
        for (char each : string.toCharArray()) {
            if (each == '"' || each == '\\') quoted.append('\\').append(each);
            else if (each < ' ' || Character.isSurrogate(each)) {
                quoted.append("\\u%04x".formatted((int) each));
            } else quoted.append(each);
        }
        return quoted.append('"').toString();
    }

    /** The next character that is no space; 0 at the end. */
    private char next() {
        while (place < text.length() && text.charAt(place) <= ' ') place++;
        return place < text.length() ? text.charAt(place) : 0;
    }

    private boolean skip(char wanted) {
        if (next() != wanted) return false;
        place++;
        return true;
    }

    private void expect(char wanted) {
        if (!skip(wanted)) throw mistake();
    }

    private IllegalArgumentException mistake() {
        return new IllegalArgumentException("no JSON at character " + place + ": " + text);
    }

    private Object value() {
        char first = next();
        if (first == '{') return object();
        if (first == '[') return list();
        if (first == '"') return string();
        int start = place;
        while (place < text.length() && "+-.".indexOf(text.charAt(place)) >= 0
            || place < text.length() && Character.isLetterOrDigit(text.charAt(place))) {
            place++;
        }
        var word = text.substring(start, place);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> {
                if (word.matches("-?\\d+")) yield Long.valueOf(word);
                if (word.isEmpty()) throw mistake();
                yield Double.valueOf(word);
            }
        };
    }

    private Map<String, Object> object() {
        var map = new LinkedHashMap<String, Object>();
        expect('{');
        while (!skip('}')) {
            if (!map.isEmpty()) expect(',');
            next();
            var name = string();
            expect(':');
            map.put(name, value());
        }
        return map;
    }

    private List<Object> list() {
        var list = new ArrayList<Object>();
        expect('[');
        while (!skip(']')) {
            if (!list.isEmpty()) expect(',');
            list.add(value());
        }
        return list;
    }

    private String string() {
        var string = new StringBuilder();
        expect('"');
        while (place < text.length() && text.charAt(place) != '"') {
            char each = text.charAt(place++);
            if (each == '\\') {
                each = text.charAt(place++);
                int known = "bfnrt".indexOf(each);
                if (known >= 0) each = "\b\f\n\r\t".charAt(known);
                if (each == 'u') {
                    each = (char) Integer.parseInt(text.substring(place, place + 4), 16);
                    place += 4;
                }
            }
            string.append(each);
        }
        expect('"');
        return string.toString();
    }
}
