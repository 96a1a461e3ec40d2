using EventHubThroughput.Journal.Files;
using Microsoft.Win32.SafeHandles;

namespace EventHubThroughput.Journal;

/// <summary>
/// Writes records in one total order. Every <c>Write</c> has passed its records to the system before it returns. So a process that is killed afterwards has
/// lost nothing that it has reported. Notes are written together with later records. Safe for several threads: records that arrive during a write are written
/// together, with one call.
/// </summary>
public sealed class JournalWriter : IDisposable, IAsyncDisposable
{
    // Each thread encodes into its own buffer, outside of any lock.
    [ThreadStatic]
    private static RecordEncoder? s_encoder;

    private readonly FileStream file;

    // The stream calls the system for a seek each time its handle is requested.
    private readonly SafeFileHandle handle;
    private readonly OutputFile? output;
    private readonly TimeProvider clock;
    private readonly long startedAt;

    // Held while numbers are assigned and lines are added to the batch. Never while the system writes.
    private readonly Lock numbering = new();

    // Held while the system writes. A caller of both locks takes this one first.
    private readonly Lock writing = new();

    // Under numbering.
    private JournalBatch filling;
    private long tick;
    private bool isSweeping;

    // Under writing.
    private long position;
    private long writtenTick;
    private JournalBatch? spare;

    private JournalWriter(FileStream file, OutputFile? output, JournalEnd end, TimeProvider clock)
    {
        this.file = file;
        handle = file.SafeFileHandle;
        this.output = output;
        this.clock = clock;
        startedAt = clock.GetTimestamp() - (long)(end.Microseconds * 1e-6 * clock.TimestampFrequency);
        position = end.Position;
        tick = writtenTick = end.Tick;
        filling = new JournalBatch();
        Continued = end;
    }

    /// <summary>The end of the journal when it was opened: nothing for a new one.</summary>
    public JournalEnd Continued { get; }

    /// <summary>The last stored items of the journal when it was opened.</summary>
    public LastStored LastRecorded => Continued.Stored ?? LastStored.Nothing;

    /// <summary>The last assigned tick.</summary>
    public long LastTick
    {
        get
        {
            lock (numbering)
            {
                return tick;
            }
        }
    }

    /// <summary>Starts a journal, readable only by its owner, in the place of an older one.</summary>
    /// <exception cref="OutputRefusedException">There is an object that is not a journal, or another process writes it.</exception>
    public static JournalWriter Open(string path) => Open(path, TimeProvider.System);

    /// <summary>Starts a journal whose times are those of a clock.</summary>
    public static JournalWriter Open(string path, TimeProvider clock)
    {
        var writer = OpenBeside(path, clock);
        try
        {
            writer.Place();
            return writer;
        }
        catch
        {
            writer.Dispose();
            throw;
        }
    }

    /// <summary>Starts a journal in the same folder as an older one, which stays until <see cref="Place"/>.</summary>
    public static JournalWriter OpenBeside(string path, TimeProvider clock)
    {
        var writer = Over(OutputFile.Create(path, OutputKind.Journal), default, clock);
        try
        {
            var header = FormatHeader.Of(JournalFormat.Name);
            RandomAccess.Write(writer.handle, header, 0);
            writer.position = header.Length;
            return writer;
        }
        catch
        {
            writer.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Continues a journal after its last complete record, with its tick and time. Starts one if there is none. A truncated last record is removed.
    /// </summary>
    /// <exception cref="JournalFormatException">Not a journal, of another version, or damaged before its last record.</exception>
    public static JournalWriter Continue(string path, TimeProvider clock)
    {
        if (!File.Exists(path) || new FileInfo(path).Length == 0)
        {
            return Open(path, clock);
        }

        var end = JournalEnd.Of(path);
        var existing = OutputFile.Continue(path, OutputKind.Journal);
        try
        {
            if (existing.Stream.Length != end.Position + end.CutBytes)
            {
                throw new OutputRefusedException("is being written by another program");
            }

            RandomAccess.SetLength(existing.Stream.SafeFileHandle, end.Position);
            return Over(existing, end, clock);
        }
        catch
        {
            existing.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Called for each batch that could not be written, before the waiting callers receive the exception. Must not throw. Null reports nothing.
    /// </summary>
    public Action<Exception>? WriteFailed { get; set; }

    /// <summary>Moves a journal that was started with <see cref="OpenBeside(string, TimeProvider)"/> to its path.</summary>
    public void Place() => output?.Place();

    /// <summary>Writes one record and returns its tick. The tick and time in the record are ignored.</summary>
    public long Write(JournalRecord record) => Write(new ReadOnlySpan<JournalRecord>(in record));

    /// <summary>Writes records together, with consecutive ticks, and returns the last of them.</summary>
    /// <exception cref="IOException">None of them was written, and the next record takes their place.</exception>
    public long Write(ReadOnlySpan<JournalRecord> records)
    {
        var encoder = Encode(records);
        JournalBatch batch;
        long last;
        lock (numbering)
        {
            batch = filling;
            last = Number(encoder, batch, isNote: false);
        }

        Complete(batch);
        return last;
    }

    /// <summary>
    /// Numbers records now and writes them together with the next record, at the latest after the present work of the thread pool. For records that may be
    /// lost when the process is killed. Notes that could not be written are kept for the next successful write, up to the last 1 MiB.
    /// </summary>
    public void Note(ReadOnlySpan<JournalRecord> records)
    {
        var encoder = Encode(records);
        lock (numbering)
        {
            Number(encoder, filling, isNote: true);
            if (isSweeping)
            {
                return;
            }

            isSweeping = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static writer => writer.Sweep(), this, preferLocal: false);
    }

    /// <summary>Closes the file. May be called twice.</summary>
    public void Dispose()
    {
        lock (writing)
        {
            Sweep();
            file.Dispose();
            output?.Dispose();
        }
    }

    /// <summary>Closes the file. May be called twice.</summary>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }

    internal static JournalWriter Over(FileStream file, JournalEnd end, TimeProvider clock) => new(file, null, end, clock);

    private static JournalWriter Over(OutputFile output, JournalEnd end, TimeProvider clock) => new(output.Stream, output, end, clock);

    private static RecordEncoder Encode(ReadOnlySpan<JournalRecord> records)
    {
        var encoder = s_encoder ??= new RecordEncoder();
        encoder.Clear();
        foreach (var record in records)
        {
            encoder.Add(record);
        }

        return encoder;
    }

    // Writes notes that no record has taken along.
    private void Sweep()
    {
        lock (writing)
        {
            JournalBatch batch;
            bool holdsAny;
            lock (numbering)
            {
                isSweeping = false;
                batch = filling;
                holdsAny = batch.LastTick > writtenTick;
            }

            if (holdsAny && !handle.IsClosed)
            {
                WriteOut(batch);
            }
        }
    }

    private long Number(RecordEncoder encoder, JournalBatch batch, bool isNote)
    {
        // All records of one call have the same time.
        var microseconds = (long)clock.GetElapsedTime(startedAt).TotalMicroseconds;
        for (var i = 0; i < encoder.Count; i++)
        {
            batch.Add(++tick, microseconds, encoder[i], isNote);
        }

        batch.LastTick = tick;
        return tick;
    }

    // Either another thread has written the batch in the meantime, with the records of others, or this thread must write it.
    private void Complete(JournalBatch batch)
    {
        lock (writing)
        {
            if (!batch.IsOver)
            {
                WriteOut(batch);
            }
        }

        if (batch.Failure is { } failure)
        {
            throw new IOException($"the journal could not be written: {failure.Message}", failure);
        }
    }

    private void WriteOut(JournalBatch batch)
    {
        lock (numbering)
        {
            filling = spare?.Reset() ?? new JournalBatch();
            spare = null;
        }

        try
        {
            RandomAccess.Write(handle, batch.Bytes, position);
            position += batch.Bytes.Length;
            writtenTick = batch.LastTick;
            batch.End(null);
        }
        catch (Exception exception)
        {
            // After a full disk the next record takes the same place, so everything numbered after this one fails too. Notes have no waiting caller: they are
            // the first records of the next write.
            lock (numbering)
            {
                batch.End(exception);
                filling.End(exception);
                filling = JournalBatch.KeepNotes(batch, filling, writtenTick);
                tick = filling.LastTick;
            }

            WriteFailed?.Invoke(exception);
            CutBack();
            return;
        }

        batch.Free(ref spare);
    }

    // Half a record may have reached the file. A shorter one in its place would leave its remainder.
    private void CutBack()
    {
        try
        {
            RandomAccess.SetLength(handle, position);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ObjectDisposedException or NotSupportedException)
        {
            // The writer of the next record receives the failure.
        }
    }
}
