using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Profiles;
using Microsoft.AspNetCore.Http;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Puts a new version into its container.</summary>
internal delegate BlobFailure? StoreAction(out StoredBlob? previous, out StoredBlob? stored);

/// <summary>
/// Handles every new content from received to answered, with the three journal records. A complete request is carried out even when the client has
/// disconnected. Only <paramref name="stopping"/> ends the wait between begin and stored.
/// </summary>
internal sealed class BlobStoring(BlobJournal journal, ILatency latency, CancellationToken stopping)
{
    public bool HasJournal => journal.IsKept;

    /// <summary>Stores new content and answers.</summary>
    /// <param name="request">The request to answer.</param>
    /// <param name="container">The target container.</param>
    /// <param name="content">The new content.</param>
    /// <param name="store">Stores it.</param>
    /// <param name="status">The status of the answer.</param>
    /// <param name="describe">Adds the headers of this operation in addition to the version.</param>
    public async Task<BlobFailure?> StoreAsync(
        BlobRequest request,
        StoredContainer container,
        BlobContent content,
        StoreAction store,
        int status,
        Action<HttpResponse> describe
    )
    {
        if ((journal.Begun(container.Name, content) ?? await DelayAsync(request, content)) is { } refused)
        {
            return refused;
        }

        if (store(out var previous, out var stored) is { } failure)
        {
            return failure;
        }

        describe(request.Response);
        await AnswerAsync(request, container, previous, stored!, status);
        return null;
    }

    /// <summary>Changes a blob without its content and answers.</summary>
    public async Task<BlobFailure?> ChangeAsync(BlobRequest request, StoredContainer container, StoreAction store)
    {
        if (
            BlobContent.GetLayout(request.Blob!) is { Kind: CheckpointBlobKind.Checkpoint }
            && await DelayAsync(request, EmulatedOperation.CheckpointWrite, Load.One) is { } busy
        )
        {
            return busy;
        }

        if (store(out var previous, out var stored) is { } failure)
        {
            return failure;
        }

        await AnswerAsync(request, container, previous, stored!, StatusCodes.Status200OK);
        return null;
    }

    /// <summary>Applies the latency of a block, or refuses it temporarily.</summary>
    public async ValueTask<BlobFailure?> DelayBlockAsync(BlobRequest request, long length)
    {
        var busy = await DelayAsync(request, EmulatedOperation.BlobWrite, new Load(1, length));
        request.Admission.Answered();
        return busy;
    }

    private ValueTask<BlobFailure?> DelayAsync(BlobRequest request, BlobContent content) =>
        content.Layout?.Kind switch
        {
            null => DelayAsync(request, EmulatedOperation.BlobWrite, new Load(1, content.Length)),
            CheckpointBlobKind.Checkpoint => DelayAsync(request, EmulatedOperation.CheckpointWrite, Load.One),
            _ => default,
        };

    private async ValueTask<BlobFailure?> DelayAsync(BlobRequest request, EmulatedOperation operation, Load load)
    {
        request.Admission = await latency.ApplyAsync(operation, load, request.ArrivedAt, stopping);
        return request.Admission.BusyFor is { } time ? BlobFailure.Busy(time) : null;
    }

    private async Task AnswerAsync(BlobRequest request, StoredContainer container, StoredBlob? previous, StoredBlob stored, int status)
    {
        BlobAnswer.Written(request.Response, status, stored);
        if (BlobFaults.LosesAnswer(request.Context))
        {
            return;
        }

        await request.Response.CompleteAsync();
        request.Admission.Answered();
        journal.Answered(container.Name, previous, stored);
    }
}
