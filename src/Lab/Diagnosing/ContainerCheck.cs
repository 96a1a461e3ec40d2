using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;

namespace EventHubThroughput.Lab.Diagnosing;

/// <summary>
/// Checks whether blobs of a container can be listed, deleted, written and read. A blob that does not exist is deleted first: without the right to delete,
/// nothing is written that would remain.
/// </summary>
/// <param name="container">The container.</param>
/// <param name="name">The name of the blob. No other program has it.</param>
/// <param name="variable">The variable that names the container.</param>
/// <param name="hasKey">Whether the account has a key. Otherwise Entra ID is used.</param>
/// <param name="limit">The time of each wait.</param>
internal sealed class ContainerCheck(IBlobContainer container, string name, string variable, bool hasKey, CheckLimit limit)
{
    private const string Subject = "container";
    private const string Role = "Storage Blob Data Contributor";

    private static readonly byte[] Content = "A check of EventHubThroughput. It may be deleted."u8.ToArray();

    private string right = "list";

    public async Task<CheckResult> RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            await limit.RunAsync(ListAsync, cancellationToken);
            right = "delete";
            await limit.RunAsync(token => container.DeleteAsync(name, token), cancellationToken);
        }
        catch (MessagingException refused)
        {
            return GetNeed().GetFailure(Subject, refused);
        }

        MessagingException? failure = null;
        MessagingException? left;
        try
        {
            await WriteAndReadAsync(cancellationToken);
        }
        catch (MessagingException refused)
        {
            failure = refused;
        }
        finally
        {
            // For any end: a write without an answer may have been stored.
            left = await RemoveAsync();
        }

        // The last answer may have arrived at the moment of the stop.
        cancellationToken.ThrowIfCancellationRequested();
        return Conclude(failure, left);
    }

    private CheckResult Conclude(MessagingException? failure, MessagingException? left)
    {
        if (failure is null && left is null)
        {
            return CheckResult.Ok(Subject, $"'{container.Name}': a blob was written, read and deleted");
        }

        right = failure is null ? "delete" : right;
        var failed = GetNeed().GetFailure(Subject, failure ?? left!);
        return left is null ? failed : failed with { Text = $"{failed.Text}. The blob '{name}' may remain" };
    }

    private async Task WriteAndReadAsync(CancellationToken cancellationToken)
    {
        right = "write";
        var upload = new BlobUpload
        {
            Name = name,
            Content = Content,
            Condition = BlobCondition.Absent,
        };
        await limit.RunAsync(token => container.UploadAsync(upload, token).AsTask(), cancellationToken);
        right = "read";
        var read = await limit.RunAsync(token => container.DownloadAsync(name, token), cancellationToken);
        if (!read.Span.SequenceEqual(Content))
        {
            throw new MessagingException(FailureKind.Permanent, $"container '{container.Name}': blob '{name}' has other content than was written");
        }
    }

    private async Task ListAsync(CancellationToken cancellationToken)
    {
        await foreach (var _ in container.ListAsync(name, cancellationToken))
        {
            // Only the right to list matters.
        }
    }

    private async Task<MessagingException?> RemoveAsync()
    {
        try
        {
            await limit.RunAsync(token => container.DeleteAsync(name, token), CancellationToken.None);
            return null;
        }
        catch (MessagingException failure)
        {
            return failure;
        }
    }

    private AccessNeed GetNeed() =>
        new($"container '{container.Name}'", $"the right to {right} blobs", Role)
        {
            KeyCure = hasKey ? "copy the key of the account again, correct the clock, or allow this machine in the firewall of the account" : null,
            Creation = $"create the container, or correct {variable}",
        };
}
