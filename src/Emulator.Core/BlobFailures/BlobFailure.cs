namespace EventHubThroughput.Emulator.BlobFailures;

/// <summary>A failure: status, the error code of the service, and a sentence.</summary>
internal sealed record BlobFailure(int Status, string Code, string Message)
{
    /// <summary>How long the client should wait before it tries again.</summary>
    public TimeSpan RetryAfter { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The reason why a signature is refused. Null for other failures.</summary>
    public string? AuthenticationDetail { get; init; }

    public static BlobFailure NotModified { get; } = new(304, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.");

    public static BlobFailure BlobTypeNotSupported { get; } =
        new(400, "BlobTypeNotSupported", "Append and page blobs are not supported for this account type.");

    public static BlobFailure BothHashes { get; } =
        new(400, "BothCrc64AndMd5HeaderPresent", "Both x-ms-content-crc64 header and Content-MD5 header are present.");

    public static BlobFailure BothHashesOfBlob { get; } =
        new(400, "BothCrc64AndMsMd5HeaderPresent", "Both x-ms-content-crc64 header and x-ms-blob-content-md5 header are present.");

    public static BlobFailure BothHashesOfRange { get; } =
        new(400, "BothCrc64AndMd5RangeHeaderPresent", "Both x-ms-range-get-content-crc64 header and x-ms-range-get-content-md5 header are present.");

    public static BlobFailure Crc64Mismatch { get; } =
        new(400, "Crc64Mismatch", "The CRC64 value specified in the request did not match with the CRC64 value calculated by the server.");

    public static BlobFailure InvalidBlobOrBlock { get; } = new(400, "InvalidBlobOrBlock", "The specified blob or block content is invalid.");

    public static BlobFailure InvalidBlockId { get; } = new(400, "InvalidBlockId", "The specified block ID is invalid. The block ID must be Base64-encoded.");

    public static BlobFailure InvalidBlockList { get; } = new(400, "InvalidBlockList", "The specified block list is invalid.");

    public static BlobFailure InvalidMd5 { get; } =
        new(400, "InvalidMd5", "The MD5 value specified in the request is invalid. The MD5 value must be 128 bits and Base64-encoded.");

    public static BlobFailure InvalidMetadata { get; } =
        new(400, "InvalidMetadata", "The metadata specified is invalid. It has characters that are not permitted.");

    public static BlobFailure InvalidResourceName { get; } = new(400, "InvalidResourceName", "The specified resource name contains invalid characters.");

    public static BlobFailure InvalidUri { get; } = new(400, "InvalidUri", "The requested URI does not represent any resource on the server.");

    public static BlobFailure InvalidXml { get; } = new(400, "InvalidXmlDocument", "The specified XML is not syntactically valid.");

    public static BlobFailure Md5Mismatch { get; } =
        new(400, "Md5Mismatch", "The MD5 value specified in the request did not match with the MD5 value calculated by the server.");

    public static BlobFailure MetadataTooLarge { get; } =
        new(400, "MetadataTooLarge", "The size of the specified metadata exceeds the maximum size permitted.");

    public static BlobFailure MultipleConditions { get; } = new(400, "MultipleConditionHeadersNotSupported", "Multiple condition headers are not supported.");

    public static BlobFailure OutOfRangeName { get; } = new(400, "OutOfRangeInput", "The specified resource name length is not within the permissible limits.");

    public static BlobFailure UnsatisfiableCondition { get; } =
        new(400, "UnsatisfiableCondition", "The request includes an unsatisfiable condition for this operation.");

    public static BlobFailure AuthenticationFailed { get; } =
        new(
            403,
            "AuthenticationFailed",
            "Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature."
        );

    public static BlobFailure InsufficientPermissions { get; } =
        new(403, "InsufficientAccountPermissions", "The account being accessed does not have sufficient permissions to execute this operation.");

    public static BlobFailure PermissionMismatch { get; } =
        new(403, "AuthorizationPermissionMismatch", "This request is not authorized to perform this operation using this permission.");

    public static BlobFailure ProtocolMismatch { get; } =
        new(403, "AuthorizationProtocolMismatch", "This request is not authorized to perform this operation using this protocol.");

    public static BlobFailure ResourceTypeMismatch { get; } =
        new(403, "AuthorizationResourceTypeMismatch", "This request is not authorized to perform this operation using this resource type.");

    public static BlobFailure ServiceMismatch { get; } =
        new(403, "AuthorizationServiceMismatch", "This request is not authorized to perform this operation using this service.");

    public static BlobFailure SourceAddressMismatch { get; } =
        new(403, "AuthorizationSourceIPMismatch", "This request is not authorized to perform this operation using this source IP.");

    public static BlobFailure UnauthorizedOverwrite { get; } =
        new(403, "UnauthorizedBlobOverwrite", "This request is not authorized to perform blob overwrites.");

    public static BlobFailure BlobNotFound { get; } = new(404, "BlobNotFound", "The specified blob does not exist.");

    public static BlobFailure ContainerNotFound { get; } = new(404, "ContainerNotFound", "The specified container does not exist.");

    public static BlobFailure ResourceNotFound { get; } = new(404, "ResourceNotFound", "The specified resource does not exist.");

    public static BlobFailure UnsupportedVerb { get; } = new(405, "UnsupportedHttpVerb", "The resource doesn't support specified Http Verb.");

    public static BlobFailure BlobAlreadyExists { get; } = new(409, "BlobAlreadyExists", "The specified blob already exists.");

    public static BlobFailure BlockCountExceedsLimit { get; } =
        new(409, "BlockCountExceedsLimit", "The uncommitted block count cannot exceed the maximum limit of 50,000 blocks.");

    public static BlobFailure ContainerAlreadyExists { get; } = new(409, "ContainerAlreadyExists", "The specified container already exists.");

    public static BlobFailure LeaseAlreadyPresent { get; } = new(409, "LeaseAlreadyPresent", "There is already a lease present.");

    public static BlobFailure LeaseIdMismatchWithLeaseOperation { get; } =
        new(409, "LeaseIdMismatchWithLeaseOperation", "The lease ID specified did not match the lease ID for the resource with the specified lease operation.");

    public static BlobFailure LeaseIsBroken { get; } =
        new(409, "LeaseIsBrokenAndCannotBeRenewed", "The lease ID matched, but the lease has been broken explicitly and cannot be renewed.");

    public static BlobFailure LeaseNotPresentWithLeaseOperation { get; } =
        new(409, "LeaseNotPresentWithLeaseOperation", "There is currently no lease on the resource.");

    public static BlobFailure NoPendingCopy { get; } = new(409, "NoPendingCopyOperation", "There is currently no pending copy operation.");

    public static BlobFailure PublicAccessNotPermitted { get; } =
        new(409, "PublicAccessNotPermitted", "Public access is not permitted on this storage account.");

    public static BlobFailure MissingContentLength { get; } = new(411, "MissingContentLengthHeader", "The Content-Length header was not specified.");

    public static BlobFailure ConditionNotMet { get; } = new(412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.");

    public static BlobFailure SourceConditionNotMet { get; } =
        new(412, "SourceConditionNotMet", "The source condition specified using HTTP conditional header(s) is not met.");

    public static BlobFailure TargetConditionNotMet { get; } =
        new(412, "TargetConditionNotMet", "The target condition specified using HTTP conditional header(s) is not met.");

    public static BlobFailure BodyTooLarge { get; } =
        new(413, "RequestBodyTooLarge", "The request body is too large and exceeds the maximum permissible limit.");

    public static BlobFailure InvalidRange { get; } = new(416, "InvalidRange", "The range specified is invalid for the current size of the resource.");

    public static BlobFailure InternalError { get; } = new(500, "InternalError", "The server encountered an internal error. Please retry the request.");

    public static BlobFailure BlocksChanged { get; } =
        new(503, "ServerBusy", "The server is currently unable to receive requests: the blob's blocks changed while they were put together.");

    public static BlobFailure DiskRefuses { get; } = new(503, "ServerBusy", "The server is currently unable to receive requests: its disk takes no more.");

    public static BlobFailure JournalRefuses { get; } =
        new(503, "ServerBusy", "The server is currently unable to receive requests: its journal takes no more.");

    public static BlobFailure ServerBusy { get; } = new(503, "ServerBusy", "The server is currently unable to receive requests: its memory limit is reached.");

    /// <summary>Refuses a signature with a reason.</summary>
    /// <param name="detail">Built from the request only, never from the key.</param>
    public static BlobFailure NotAuthenticated(string detail) => AuthenticationFailed with { AuthenticationDetail = detail };

    /// <summary>Refuses an unsigned request that a web page in a browser may have sent.</summary>
    public static BlobFailure Foreign(string why) => new(403, "AuthorizationFailure", $"This request is not authorized to perform this operation. {why}");

    /// <summary>The request rate exceeds the limits of the account.</summary>
    public static BlobFailure Busy(TimeSpan retryAfter) =>
        new(503, "ServerBusy", "Operations per second is over the account limit.") { RetryAfter = retryAfter };

    public static BlobFailure CopySourceRefused(int status, string why) => new(status, "CannotVerifyCopySource", why);

    public static BlobFailure LeaseIsBreaking(string done, string code) =>
        new(
            409,
            "LeaseIsBreakingAndCannotBe" + code,
            $"The lease ID matched, but the lease is currently in breaking state and cannot be {done} until it is broken."
        );

    public static BlobFailure LeaseIdMissing(LeaseWords on) =>
        new(412, "LeaseIdMissing", $"There is currently a lease on the {Word(on)} and no lease ID was specified in the request.");

    public static BlobFailure LeaseIdMismatch(LeaseWords on) =>
        new(412, $"LeaseIdMismatchWith{on}Operation", $"The lease ID specified did not match the lease ID for the {Word(on)}.");

    public static BlobFailure LeaseLost(LeaseWords on) => new(412, "LeaseLost", $"A lease ID was specified, but the lease for the {Word(on)} has expired.");

    public static BlobFailure LeaseNotPresent(LeaseWords on) =>
        new(412, $"LeaseNotPresentWith{on}Operation", $"There is currently no lease on the {Word(on)}.");

    /// <summary>A feature of the service that the emulator does not support.</summary>
    public static BlobFailure Unsupported(string what) =>
        new(501, "NotImplemented", $"The requested operation is not implemented on the specified resource: {what}.");

    public static BlobFailure UnsupportedHeader(string name) =>
        new(400, "UnsupportedHeader", $"One of the HTTP headers specified in the request is not supported: {name}.");

    public static BlobFailure UnsupportedParameter(string name) =>
        new(400, "UnsupportedQueryParameter", $"One of the query parameters specified in the request URI is not supported: {name}.");

    public static BlobFailure InvalidHeader(string name) =>
        new(400, "InvalidHeaderValue", $"The value for one of the HTTP headers is not in the correct format: {name}.");

    /// <summary>A framed body is damaged. A wrong checksum has a separate code.</summary>
    /// <param name="problem">The damage.</param>
    public static BlobFailure InvalidStructuredBody(string problem) =>
        new(400, "InvalidInput", $"One of the request inputs is not valid. The structured body: {problem}.");

    public static BlobFailure MissingHeader(string name) =>
        new(400, "MissingRequiredHeader", $"An HTTP header that's mandatory for this request is not specified: {name}.");

    public static BlobFailure InvalidQuery(string name) =>
        new(400, "InvalidQueryParameterValue", $"Value for one of the query parameters specified in the request URI is invalid: {name}.");

    public static BlobFailure QueryOutOfRange(string name) =>
        new(400, "OutOfRangeQueryParameterValue", $"One of the query parameters specified in the request URI is outside the permissible range: {name}.");

    private static string Word(LeaseWords on) => on == LeaseWords.Blob ? "blob" : "container";
}

/// <summary>The object of a lease. The error codes differ in one word.</summary>
internal enum LeaseWords
{
    Blob,
    Container,
}
